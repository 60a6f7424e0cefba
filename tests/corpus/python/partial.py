# file: kit/other.py
# Names that two classes have are found by what flows and by nothing else.
class Other:
    def work(self): pass
    def use(self): pass
# file: kit/parts.py
class Part:
    def work(self): pass
class Tool:
    def use(self): pass
# file: kit/functions.py
import functools
from functools import partial
from kit.parts import Part, Tool

def by_place(part, tool):
    part.work()
#        ^ calls: kit/parts.py:Part.work from by_place
    tool.use()
#        ^ calls: kit/parts.py:Tool.use from by_place
#        ^ calls-not: kit/other.py:Other.use
half = partial(by_place, Part())
half(Tool())
#  ^ calls: kit/functions.py:by_place

def by_name(part, tool):
    part.work()
#        ^ calls: kit/parts.py:Part.work from by_name
    tool.use()
#        ^ calls: kit/parts.py:Tool.use from by_name
functools.partial(by_name, tool=Tool())(Part())

def in_turns(first, second, third):
    third.work()
#         ^ calls: kit/parts.py:Part.work from in_turns
    second.use()
#          ^ calls: kit/parts.py:Tool.use from in_turns
partial(partial(in_turns, 1), Tool())(Part())

def unknown_places(first, second):
    first.work()
#         ^ calls-not: kit/parts.py:Part.work
partial(unknown_places, *[])(Part())

def passed(part, tool):
    part.work()
#        ^ calls: kit/parts.py:Part.work from passed
def run(function):
    function(Tool())
#   ^ calls: kit/functions.py:passed from run
run(partial(passed, Part()))

def handed_back(part): return part
partial(handed_back)(Part()).work()
#                            ^ calls: kit/parts.py:Part.work
partial(handed_back, Part())().work()
#                              ^ gap: calls: kit/parts.py:Part.work

def given_to_lambda(part): part.work()
#                               ^ calls: kit/parts.py:Part.work from given_to_lambda
partial(lambda tool, part: given_to_lambda(part), Tool())(Part())
# file: kit/methods.py
from functools import partial, partialmethod
from kit.parts import Part, Tool

class Bench:
    def run(self, part, tool):
        part.work()
#            ^ calls: kit/parts.py:Part.work from Bench.run
        tool.use()
#            ^ calls: kit/parts.py:Tool.use from Bench.run
    def start(self):
        self.step = partial(self.run, Part())
    def go(self):
        self.step(Tool())
#            ^ calls: kit/methods.py:Bench.run from Bench.go

    def cut(self, part, tool):
        part.work()
#            ^ calls: kit/parts.py:Part.work from Bench.cut
        tool.use()
#            ^ calls: kit/parts.py:Tool.use from Bench.cut
    cut_part = partialmethod(cut, Part())
    def cut_all(self): self.cut_part(Tool())
#                           ^ calls: kit/methods.py:Bench.cut from Bench.cut_all

    def free(part, tool):
        tool.use()
#            ^ calls: kit/parts.py:Tool.use from Bench.free
    free_part = partial(free, Part())
    def frees(self): self.free_part(Tool())
#                         ^ calls: kit/methods.py:Bench.free from Bench.frees

def unbound(bench: Bench):
    partial(Bench.run, bench)(1, 2)
#                            ^ calls: kit/methods.py:Bench.run from unbound

class Made:
    def __init__(self, part, tool):
        self.part = part
        self.tool = tool
    def go(self):
        self.part.work()
#                 ^ calls: kit/parts.py:Part.work from Made.go
        self.tool.use()
#                 ^ calls: kit/parts.py:Tool.use from Made.go
def build(): partial(Made, Part())(Tool()).go()
#                                 ^ calls: kit/methods.py:Made.__init__ from build
#                                          ^ calls: kit/methods.py:Made.go from build
# file: kit/decorators.py
from functools import partial
from kit.parts import Part

def marked(function=None, *, part=None):
    if function is None:
        return partial(marked, part=part)
    part.work()
#        ^ calls: kit/parts.py:Part.work from marked
    return function
@marked(part=Part())
#^ calls: kit/decorators.py:marked
def one(): pass

def _wrapper(function, *args): return function(*args)
#                                     ^ calls: kit/decorators.py:two from _wrapper
def wrapped(function): return partial(_wrapper, function)
@wrapped
def two(): pass
two()
#^ calls: kit/decorators.py:two
#^ calls: kit/decorators.py:_wrapper
# file: kit/pool.py
from concurrent.futures import ThreadPoolExecutor
from kit.parts import Part

def later(part): part.work()
#                     ^ calls: kit/parts.py:Part.work from later
def start():
    with ThreadPoolExecutor() as pool:
        pool.submit(later, Part())
#            ^ calls-not: kit/pool.py:later

class Form:
    def submit(self, function, part): pass
def own(part): part.work()
#                   ^ calls-not: kit/parts.py:Part.work
def send(): Form().submit(own, Part())
# file: kit/user.py
from kit.functions import half
#                         ^ imports: kit/functions.py:by_place
def use(): return half
#                 ^ references: kit/functions.py:by_place from use
