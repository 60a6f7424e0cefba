# file: table.py
def load(): return 1
def store(): return 2
class Registry:
    def __init__(self):
        self._methods = {}
        self.hooks = []
    def register(self, name, method):
        self._methods[name] = method
    def adapt(self, name, method):
        self._methods[name] = lambda *args: method(self, *args)
#                                           ^ calls: table.py:adapted from Registry.adapt
    def run(self, name):
        return self._methods[name]()
#                                 ^ calls: table.py:load from Registry.run
#                                 ^ calls: table.py:store from Registry.run
#                                 ^ calls: table.py:adapted from Registry.run
    def fire(self):
        for hook in self.hooks:
            hook()
#           ^ calls: table.py:fired from Registry.fire
def adapted(registry): return registry
def fired(): return 3
registry = Registry()
registry.register("load", load)
registry.register("store", store)
registry.adapt("x", adapted)
registry.hooks.append(fired)
# file: events.py
from collections import defaultdict
LISTENERS = defaultdict(list)
def on(name):
    def decorator(f):
        LISTENERS[name].append(f)
        return f
    return decorator
@on("start")
def started(): return 1
def emit(name):
    for listener in LISTENERS[name]:
        listener()
#       ^ calls: events.py:started from emit
# file: plugins.py
from importlib import import_module
PLUGINS = {"table": "extra.tables.table"}
def find(name):
    module, _, attribute = PLUGINS[name].rpartition(".")
    return getattr(import_module(module), attribute)
def use(name): return find(name)()
#                     ^ calls: extra/tables.py:table from use
#                                ^ calls-not: extra/tables.py:other
# file: extra/__init__.py
# file: extra/tables.py
def table(): return 1
def other(): return 1
# file: dispatch.py
class Visitor:
    def visit(self, node):
        return getattr(self, f"visit_{node}")(node)
#              ^ calls: dispatch.py:Visitor.visit_leaf from Visitor.visit
#              ^ calls: dispatch.py:Deep.visit_tree from Visitor.visit
#              ^ calls-not: dispatch.py:Visitor.other
    def visit_leaf(self, node): return node
    def other(self, node): return node
class Deep(Visitor):
    def visit_tree(self, node): return node
