# file: twice.py
from typing import overload
class T:
    @property
    def size(self): return 1
#       ^ defines: T.size
    @size.setter
    def size(self, v): self._v = v
#       ^ defines: T.size~2
@overload
def f(x: int) -> int: ...
#   ^ defines: f
@overload
def f(x: str) -> str: ...
#   ^ defines: f~2
def f(x): return x
#   ^ defines: f~3
if True:
    def g(): return 1
#       ^ defines: g
else:
    def g(): return 2
#       ^ defines: g~2
def use(t: T):
    t.size
#     ^ calls: twice.py:T.size from use
#     ^ calls-not: twice.py:T.size~2
    t.size = 3
#     ^ calls: twice.py:T.size~2 from use
#     ^ calls-not: twice.py:T.size
    f(1)
#   ^ calls: twice.py:f~3 from use
#   ^ calls-not: twice.py:f
    g()
#   ^ calls: twice.py:g from use
#   ^ calls: twice.py:g~2 from use
