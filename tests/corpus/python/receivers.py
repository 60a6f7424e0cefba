# file: kit/__init__.py
# file: kit/boxes.py
from __future__ import annotations
from typing import Optional, Union, TypeVar, Self, Iterator, Type
import contextlib

T = TypeVar("T", bound="Box")

class Lid:
    def open(self): pass
    def shut(self) -> Lid: return self

class Box:
    lid: Lid
    spare = Lid()
    def __init__(self, key=None):
        self.inner = Lid()
        self.maybe: Optional[Lid] = None
        self.lids = [Lid(), Lid()]
        self.table = {"a": Lid()}
    def method(self):
        self.inner.open()
#                  ^ calls: kit/boxes.py:Lid.open from Box.method
        self.lid.open()
#                ^ calls: kit/boxes.py:Lid.open from Box.method
        self.spare.open()
#                  ^ calls: kit/boxes.py:Lid.open from Box.method
        self.maybe.open()
#                  ^ calls: kit/boxes.py:Lid.open from Box.method
        self.late.open()
#                 ^ calls: kit/boxes.py:Lid.open from Box.method
        for lid in self.lids: lid.open()
#                                 ^ calls: kit/boxes.py:Lid.open from Box.method
        for k, lid in self.table.items(): lid.open()
#                                             ^ calls: kit/boxes.py:Lid.open from Box.method
        self.table["a"].open()
#                       ^ calls: kit/boxes.py:Lid.open from Box.method
        self.lids[1:][0].shut().open()
#                        ^ calls: kit/boxes.py:Lid.shut from Box.method
#                               ^ calls: kit/boxes.py:Lid.open from Box.method
    def later(self):
        self.late = Lid()
    def chain(self): return self
    def copy(self) -> Self: return self
    @classmethod
    def make(cls): return cls()
    @staticmethod
    def free(): return Lid()
    @property
    def top(self): return Lid()
    def __enter__(self): return Lid()
    def __exit__(self, *a): pass
    def __iter__(self) -> Iterator[Lid]: yield Lid()
    def __getitem__(self, key): return Lid()
    def __call__(self): return Lid()
    def __add__(self, other): return Lid()

class Crate(Box):
    def only_crate(self): pass

def typed(a: Box, b: "Box | None", c: list[Box], d: Type[Box], e: dict[str, Box], *rest: Box, **more: Box):
    a.method()
#     ^ calls: kit/boxes.py:Box.method from typed
    b.method()
#     ^ calls: kit/boxes.py:Box.method from typed
    c[0].method()
#        ^ calls: kit/boxes.py:Box.method from typed
    d.make().method()
#     ^ calls: kit/boxes.py:Box.make from typed
#            ^ calls: kit/boxes.py:Box.method from typed
    d().method()
#   ^ calls: kit/boxes.py:Box from typed
#   ^ calls: kit/boxes.py:Box.__init__ from typed
#       ^ calls: kit/boxes.py:Box.method from typed
    e.get("x").method()
#              ^ calls: kit/boxes.py:Box.method from typed
    rest[0].method()
#           ^ calls: kit/boxes.py:Box.method from typed
    more["x"].method()
#             ^ calls: kit/boxes.py:Box.method from typed

def local(key):
    box = Box(key)
#         ^ calls: kit/boxes.py:Box from local
#         ^ calls: kit/boxes.py:Box.__init__ from local
    box.chain().copy().method()
#       ^ calls: kit/boxes.py:Box.chain from local
#               ^ calls: kit/boxes.py:Box.copy from local
#                      ^ calls: kit/boxes.py:Box.method from local
    Box.free().open()
#       ^ calls: kit/boxes.py:Box.free from local
#              ^ calls: kit/boxes.py:Lid.open from local
    box.top.open()
#       ^ calls: kit/boxes.py:Box.top from local
#           ^ calls: kit/boxes.py:Lid.open from local
    with box as lid: lid.open()
#        ^ calls: kit/boxes.py:Box.__enter__ from local
#        ^ calls: kit/boxes.py:Box.__exit__ from local
#                        ^ calls: kit/boxes.py:Lid.open from local
    for lid in box: lid.open()
#              ^ calls: kit/boxes.py:Box.__iter__ from local
#                       ^ calls: kit/boxes.py:Lid.open from local
    box["x"].open()
#   ^ calls: kit/boxes.py:Box.__getitem__ from local
#            ^ calls: kit/boxes.py:Lid.open from local
    box().open()
#   ^ calls: kit/boxes.py:Box.__call__ from local
#         ^ calls: kit/boxes.py:Lid.open from local
    (box + box).open()
#    ^ calls: kit/boxes.py:Box.__add__ from local
#               ^ calls: kit/boxes.py:Lid.open from local
    a, (b, *c) = Lid(), (Box(), Lid(), Lid())
    a.open()
#     ^ calls: kit/boxes.py:Lid.open from local
    b.top
#     ^ calls: kit/boxes.py:Box.top from local
    c[0].open()
#        ^ calls: kit/boxes.py:Lid.open from local
    crate = Crate.make()
    crate.only_crate()
#         ^ calls: kit/boxes.py:Crate.only_crate from local
    Crate().copy().only_crate()
#                  ^ calls: kit/boxes.py:Crate.only_crate from local
    getattr(box, "method")()
#   ^ calls: kit/boxes.py:Box.method from local
    type(box)().method()
#               ^ calls: kit/boxes.py:Box.method from local
    box.__class__().method()
#                   ^ calls: kit/boxes.py:Box.method from local
    (w := Lid()).open()
#                ^ calls: kit/boxes.py:Lid.open from local
    w.open()
#     ^ calls: kit/boxes.py:Lid.open from local
    [x.open() for x in [Lid()]]
#      ^ calls: kit/boxes.py:Lid.open from local

def same(x: T) -> T: return x
def passed(x): return x

def generic():
    passed(Box()).method()
#                 ^ calls: kit/boxes.py:Box.method from generic
    same(Box()).method()
#               ^ calls: kit/boxes.py:Box.method from generic

@contextlib.contextmanager
def lent():
    yield Lid()

async def coming() -> Lid: return Lid()

async def waits():
    with lent() as lid: lid.open()
#                           ^ calls: kit/boxes.py:Lid.open from waits
    (await coming()).open()
#                    ^ calls: kit/boxes.py:Lid.open from waits
    try: pass
    except (Odd, Even) as error: error.report()
#                                      ^ calls: kit/boxes.py:Odd.report from waits
#                                      ^ calls: kit/boxes.py:Even.report from waits

class Odd(Exception):
    def report(self): pass
class Even(Exception):
    def report(self): pass

class Steps:
    def __iter__(self): return self
    def __next__(self): return Lid()
def loops():
    for step in Steps(): pass
#               ^ calls: kit/boxes.py:Steps.__iter__ from loops
#               ^ calls: kit/boxes.py:Steps.__next__ from loops
