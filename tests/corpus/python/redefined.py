# file: lib/base.py
class Error(Exception):
    def __init__(self): pass
    def why(self): return 1
def check(): return 1
def helper(): return 1
# file: lib/own.py
from lib.base import Error, check, helper

class Error(Error):
#           ^ inherits: lib/base.py:Error from Error
#           ^ inherits-not: lib/own.py:Error
    def why(self): return 2
#       ^ overrides: lib/base.py:Error.why from Error.why

def check(): return 2

try:
    def helper(): return 2
except ValueError:
    pass

def use():
    raise Error
#         ^ calls: lib/own.py:Error from use
#         ^ calls-not: lib/base.py:Error
    check()
#   ^ calls: lib/own.py:check from use
#   ^ calls-not: lib/base.py:check
    helper()
#   ^ calls: lib/own.py:helper from use
#   ^ calls: lib/base.py:helper from use

# file: lib/other.py
from lib.own import check
check()
# ^ calls: lib/own.py:check
# ^ calls-not: lib/base.py:check

# file: lib/gathered.py
def rule(f): return f
@rule
def step(): return 1
@rule
def step(): return 2
def use(): return step()
#                 ^ calls: lib/gathered.py:step from use
#                 ^ calls: lib/gathered.py:step~2 from use

# file: lib/dotted.py
import lib.base
import lib.own
lib.base.check()
#        ^ calls: lib/base.py:check

# file: lib/global_names.py
from lib.base import check
def swap():
    global check
    from lib.own import check
def use(): return check()
#                 ^ calls: lib/base.py:check from use
#                 ^ calls: lib/own.py:check from use

# file: lib/__init__.py
from lib import base as ground
# file: lib/renamed.py
from lib import ground
#               ^ imports: lib/__init__.py
#               ^ imports-not: lib/base.py
ground.check()
#      ^ calls: lib/base.py:check
