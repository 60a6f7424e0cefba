# file: kit/other.py
class Other:
    def visit(self): pass
# file: kit/nodes.py
class Node:
    def visit(self): pass

def walk():
    yield Node()
def delegated():
    yield from walk()
def again():
    for node in walk():
        yield node
async def slowly():
    yield Node()
def pairs():
    yield 1, Node()

def loop():
    for node in walk(): node.visit()
#                            ^ calls: kit/nodes.py:Node.visit from loop
#                            ^ calls-not: kit/other.py:Other.visit
def loop_delegated():
    for node in delegated(): node.visit()
#                                 ^ calls: kit/nodes.py:Node.visit from loop_delegated
def loop_again():
    for node in again(): node.visit()
#                             ^ calls: kit/nodes.py:Node.visit from loop_again
async def loop_slowly():
    async for node in slowly(): node.visit()
#                                    ^ calls: kit/nodes.py:Node.visit from loop_slowly
def loop_pairs():
    for number, (one, node) in enumerate(pairs()): node.visit()
#                                                       ^ calls: kit/nodes.py:Node.visit from loop_pairs
def handed_on(nodes):
    for node in nodes: node.visit()
#                           ^ calls: kit/nodes.py:Node.visit from handed_on
handed_on(walk())

def steps():
    next(walk()).visit()
#                ^ calls: kit/nodes.py:Node.visit from steps
def steps_by_method():
    walk().__next__().visit()
#                     ^ calls: kit/nodes.py:Node.visit from steps_by_method
def steps_sent():
    walk().send(1).visit()
#                  ^ calls: kit/nodes.py:Node.visit from steps_sent
def gathered():
    list(walk())[0].visit()
#                   ^ calls: kit/nodes.py:Node.visit from gathered
def comprehended():
    for node in (node for node in walk()): node.visit()
#                                               ^ calls: kit/nodes.py:Node.visit from comprehended
def unpacked():
    first, *rest = walk()
    first.visit()
#         ^ calls: kit/nodes.py:Node.visit from unpacked
    rest[0].visit()
#           ^ calls: kit/nodes.py:Node.visit from unpacked
def added():
    found = []
    found += walk()
    found[0].visit()
#            ^ calls: kit/nodes.py:Node.visit from added
def joined():
    found = [1] + [Node()]
    found[1].visit()
#            ^ calls: kit/nodes.py:Node.visit from joined
def merged():
    found = {"a": 1} | {"b": Node()}
    found["b"].visit()
#              ^ calls: kit/nodes.py:Node.visit from merged
class Tree:
    def __init__(self):
        self.nodes = self.walk()
    def walk(self): yield Node()
    def __iter__(self): return self.nodes
    def __next__(self): return next(self.nodes)
def loop_tree():
    for node in Tree(): node.visit()
#                            ^ calls: kit/nodes.py:Node.visit from loop_tree
    next(Tree()).visit()
#                ^ calls: kit/nodes.py:Node.visit from loop_tree
def returning():
    yield 1
    return Node()
def delegating():
    node = yield from returning()
    node.visit()
#        ^ calls: kit/nodes.py:Node.visit from delegating
#        ^ calls-not: kit/other.py:Other.visit
