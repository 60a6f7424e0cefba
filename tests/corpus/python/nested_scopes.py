# file: kit.py
def helper(): return 1
def helper2(): return 2
def register(tag):
    def deco(fn): return fn
#       ^ defines: register.deco
    return deco
#          ^ references: kit.py:register.deco from register
# file: app.py
from kit import register
def outer():
    from kit import helper
#                   ^ imports: kit.py:helper
    def inner(): return helper()
#       ^ defines: outer.inner
#                       ^ calls: kit.py:helper from outer.inner
    async def late(): return inner()
#             ^ defines: outer.late
#                            ^ calls: app.py:outer.inner from outer.late
    return late
@register("x")
#^ calls: kit.py:register from module
#^ calls: kit.py:register.deco from module
class Job:
    run = staticmethod(lambda: __import__("kit"))
def by_lambda(xs):
    from kit import helper2 as h2
    return sorted(xs, key=lambda x: h2())
#                                   ^ calls: kit.py:helper2 from by_lambda
def by_comprehension(xs):
    from kit import helper2 as h2
    return {x: [h2() for _ in x] for x in xs}
#               ^ calls: kit.py:helper2 from by_comprehension
class Hidden:
    def helper(self): return 0
    def call(self): return helper()
#                          ^ calls-not: app.py:Hidden.helper
#                          ^ calls-not: kit.py:helper
#                          ^ unresolved: helper
