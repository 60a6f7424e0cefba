# file: lib.py
class Job:
    kind = 1
    def run(self): pass
def f(): pass
def g(): pass
def h(): pass
# file: use.py
import functools, lib
from lib import Job, f, g, h
TABLE = {"f": f, "g": [g]}
#             ^ references: lib.py:f from module
#                      ^ references: lib.py:g from module
alias = lib.h
#           ^ references: lib.py:h from module
class Holder:
    run = f
#         ^ references: lib.py:f from Holder
    job_class = Job
#               ^ references: lib.py:Job from Holder
def pass_on(xs):
    xs.register(f)
#               ^ references: lib.py:f from pass_on
#               ^ calls-not: lib.py:f
    sorted(xs, key=g)
#                  ^ calls: lib.py:g from pass_on
#                  ^ references: lib.py:g from pass_on
    map(f, xs)
#       ^ calls: lib.py:f from pass_on
    xs.sort(key=h)
#               ^ calls: lib.py:h from pass_on
    job = Job()
    xs.register(job.run)
#                   ^ references: lib.py:Job.run from pass_on
    functools.partial(g, 1)()
#   ^ calls: lib.py:g from pass_on
    return Job.kind
#          ^ references: lib.py:Job from pass_on
def plain(): return f()
#                   ^ calls: lib.py:f from plain
#                   ^ references-not: lib.py:f
def shadow(f): return [f]
#                      ^ references-not: lib.py:f
