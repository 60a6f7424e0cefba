# file: kit/other.py
# Names that two classes have are found by what flows and by nothing else.
class Other:
    def work(self): pass
    def rank(self): pass
# file: kit/parts.py
class Part:
    def work(self): pass
    def rank(self): pass
# file: kit/walks.py
import heapq
from functools import reduce
from kit.parts import Part

def mapped(part): part.work()
#                      ^ calls: kit/parts.py:Part.work from mapped
#                      ^ calls-not: kit/other.py:Other.work
list(map(mapped, [Part()]))

def filtered(part): return part.rank()
#                               ^ calls: kit/parts.py:Part.rank from filtered
for part in filter(filtered, {Part()}):
    part.work()
#        ^ calls: kit/parts.py:Part.work

def ranked(part): return part.rank()
#                             ^ calls: kit/parts.py:Part.rank from ranked
def order(parts): return sorted(parts, key=ranked)
order((Part(), Part()))

def greatest(part): return part.rank()
#                               ^ calls: kit/parts.py:Part.rank from greatest
def choose(): return max([Part()], key=greatest)

def smallest(part): return part.rank()
#                               ^ calls: kit/parts.py:Part.rank from smallest
heapq.nsmallest(3, [Part()], key=smallest)

def sorting(part): return part.rank()
#                              ^ calls: kit/parts.py:Part.rank from sorting
parts = [Part()]
parts.sort(key=sorting)

def joined(whole, part):
    part.work()
#        ^ calls: kit/parts.py:Part.work from joined
    return whole
reduce(joined, [Part()], None)

def nameless(): return sorted([Part()], key=lambda part: part.rank())
#                                                             ^ calls: kit/parts.py:Part.rank from nameless

class Shop:
    def rank(self, part): return part.rank()
#                                     ^ calls: kit/parts.py:Part.rank from Shop.rank
    def best(self, parts): return min(parts, key=self.rank)
Shop().best([Part()])
# file: kit/own.py
from kit.parts import Part

def map(function, parts): return function(parts)
def taken(parts): parts.work()
#                       ^ calls-not: kit/parts.py:Part.work
map(taken, [Part()])
# file: kit/replaced.py
import json
import re

def upper(match): return match[0].upper()
def plain(value): return str(value)
PATTERN = re.compile("a")

def by_pattern(text): return PATTERN.sub(upper, text)
#                                        ^ calls: kit/replaced.py:upper from by_pattern
def by_module(text): return re.sub("a", upper, text)
#                                       ^ calls: kit/replaced.py:upper from by_module
def written(value): return json.dumps(value, default=plain)
#                                                    ^ calls: kit/replaced.py:plain from written
