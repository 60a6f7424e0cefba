# file: kit/other.py
class Other:
    def open(self): pass
# file: kit/boxes.py
import operator
from functools import cached_property

class Lid:
    def open(self): pass

class Box:
    def get_lid(self): return Lid()
    def set_lid(self, lid): pass
    lid = property(get_lid, set_lid)
    named = property(fset=set_lid, doc="by name", fget=get_lid)
    kept = cached_property(get_lid)
    only_set = property(None, set_lid)
    added = property(get_lid)
    @added.setter
    def added(self, value): pass
    below = property(operator.attrgetter("lid"))
    short = property(lambda self: Lid())
    def use(self):
        self.lid.open()
#            ^ calls: kit/boxes.py:Box.get_lid from Box.use
#                ^ calls: kit/boxes.py:Lid.open from Box.use

class Crate(Box):
    def get_lid(self): return None

def read(box: Box):
    box.lid.open()
#       ^ calls: kit/boxes.py:Box.get_lid from read
#       ^ calls-not: kit/boxes.py:Box.set_lid
#           ^ calls: kit/boxes.py:Lid.open from read
#           ^ calls-not: kit/other.py:Other.open
    box.named.open()
#       ^ calls: kit/boxes.py:Box.get_lid from read
#             ^ calls: kit/boxes.py:Lid.open from read
    box.kept.open()
#       ^ calls: kit/boxes.py:Box.get_lid from read
#            ^ calls: kit/boxes.py:Lid.open from read
    box.added.open()
#       ^ calls: kit/boxes.py:Box.get_lid from read
#             ^ calls: kit/boxes.py:Lid.open from read
    box.short.open()
#             ^ calls: kit/boxes.py:Lid.open from read
    box.below.open()
#             ^ calls-not: kit/other.py:Other.open
    Crate().lid
#           ^ calls: kit/boxes.py:Box.get_lid from read

def write(box: Box, lid):
    box.lid = lid
#       ^ calls: kit/boxes.py:Box.set_lid from write
#       ^ calls-not: kit/boxes.py:Box.get_lid
    box.only_set = lid
#       ^ calls: kit/boxes.py:Box.set_lid from write
    box.added = lid
#       ^ calls: kit/boxes.py:Box.added from write
#       ^ calls-not: kit/boxes.py:Box.get_lid
    Box.lid
#       ^ calls-not: kit/boxes.py:Box.get_lid
