# file: shop/parts.py
import itertools
from itertools import chain

class Part:
    def use(self): return self
    def same(self): return list(self) == list(self)
#                                     ^ calls-not: shop/parts.py:Part.__eq__
    def __iter__(self): yield Item()
    def __eq__(self, other): return True
    def made(self): return Item()

class Item:
    def use(self): pass
    def made(self): pass

def both(parts: list[Part], items: list[Item]):
    for each in chain(parts, items):
        each.use()
#            ^ calls: shop/parts.py:Part.use from both
#            ^ calls: shop/parts.py:Item.use from both

def flat(shelves: list[list[Part]]):
    for each in itertools.chain.from_iterable(shelves):
        each.use()
#            ^ calls: shop/parts.py:Part.use from flat
#            ^ calls-not: shop/parts.py:Item.use

def inside(part: Part):
    for each in sorted(part):
        each.use()
#            ^ calls: shop/parts.py:Item.use from inside
#            ^ calls-not: shop/parts.py:Part.use

def some(parts: list[Part]):
    next(filter(None, parts)).use()
#                             ^ calls: shop/parts.py:Part.use from some

def made(part): return Item()
def applied(names):
    for each in map(made, names):
        each.use()
#            ^ calls: shop/parts.py:Item.use from applied

def table(names: list[str], parts: list[Part]):
    by_name = dict(zip(names, parts))
    by_name["a"].use()
#                ^ calls: shop/parts.py:Part.use from table
    by_number = dict((number, Item()) for number in names)
    by_number[1].use()
#                ^ calls: shop/parts.py:Item.use from table

# file: shop/jobs.py
from collections import deque

class Queue:
    def __init__(self):
        self.jobs = deque()
        self.stack = [{"a": [{"b": [1]}]}]
    def later(self, job):
        self.jobs.append((job, self.stack, 1))
    def run(self):
        job, stack, count = self.jobs.popleft()
        job()
#       ^ calls: shop/jobs.py:sweep from Queue.run

def sweep(): pass
Queue().later(sweep)
