# file: args.py
def target(): return 1
def call(a): return a()
#                   ^ calls: args.py:target from call
def named(*, key): return key()
#                         ^ calls: args.py:target from named
def passed_on(*args): return call(*args)
call(target)
named(key=target)
passed_on(target)

class Part:
    def work(self): return 1
class Holder:
    def __init__(self, part):
        self.part = part
    def go(self): return self.part.work()
#                                  ^ calls: args.py:Part.work from Holder.go
Holder(Part())

def late(step): return step.work()
#                           ^ calls: args.py:Part.work from late
adapt = lambda f: f(Part())
#                 ^ calls: args.py:late
adapt(late)
# file: decorators.py
import functools
def traced(f):
    @functools.wraps(f)
    def inner(*args):
        return f(*args)
#              ^ calls: decorators.py:plain from traced.inner
    return inner
@traced
def plain(): return 1
def user(): return plain()
#                  ^ calls: decorators.py:plain from user
# file: outside.py
class Plugin:
    helper = None
    def run(self): return self.helper.help()
#                                     ^ calls: outside.py:Helper.help from Plugin.run
class Helper:
    def help(self): return 1
def install(plugin):
    plugin.helper = Helper()
install(Plugin())
# file: below.py
class Base:
    maker = None
    def make(self): return self.maker().start()
#                                       ^ calls: below.py:Engine.start from Base.make
class Engine:
    def start(self): return 1
class Leaf(Base):
    maker = Engine
# file: cycle.py
def ping(f, n): return pong(f, n)
def pong(f, n):
    if n:
        return ping(f, n - 1)
    return f()
#          ^ calls: cycle.py:end from pong
def end(): return 1
ping(end, 3)
# file: loops.py
class Steps(dict):
    def __iter__(self): return self
    def __next__(self): return stepped
def stepped(): return 1
def walk(steps):
    for step in steps:
#               ^ calls: loops.py:Steps.__iter__ from walk
#               ^ calls: loops.py:Steps.__next__ from walk
        step()
#       ^ calls: loops.py:stepped from walk
walk(Steps())
class Trouble(Exception):
    def __init__(self): pass
def fail(): raise Trouble
#                 ^ calls: loops.py:Trouble.__init__ from fail
# file: order.py
def first(): return 1
def second(): return 2
def third(): return 3
def straight():
    step = first
    step = second
    step()
#   ^ calls: order.py:second
#   ^ calls-not: order.py:first
def branching(more):
    step = first
    if more:
        step = second
    step()
#   ^ calls: order.py:second
#   ^ calls: order.py:first
def looping(many):
    step = first
    step = second
    for one in many:
        step()
#       ^ calls: order.py:second
#       ^ calls: order.py:third
#       ^ calls-not: order.py:first
        step = third
def inner():
    step = first
    def later(): return step()
#                       ^ calls: order.py:second
    step = second
    return later
def itself():
    step = first
    step = keep(
        step
    )
    step()
#   ^ calls: order.py:first
def keep(f): return f
# file: keys.py
def one(): return 1
def two(): return 2
TABLE = {"one": one, 2: two, "2": one}
TABLE[2]()
#    ^ calls: keys.py:two
#    ^ calls-not: keys.py:one
def by_name(): return TABLE["one"]()
#                          ^ calls: keys.py:one from by_name
#                          ^ calls-not: keys.py:two
def by_get(): return TABLE.get("one")()
#                              ^ calls: keys.py:one from by_get
def by_any(key): return TABLE[key]()
#                            ^ calls: keys.py:one from by_any
#                            ^ calls: keys.py:two from by_any
PAIR = [one, two]
def by_place(): return PAIR[1]()
#                             ^ calls: keys.py:two from by_place
#                             ^ calls-not: keys.py:one
def last():
    table = {"a": one}
    table["a"] = two
    return table["a"]()
#                    ^ calls: keys.py:two from last
#                    ^ calls-not: keys.py:one
