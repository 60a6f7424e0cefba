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
