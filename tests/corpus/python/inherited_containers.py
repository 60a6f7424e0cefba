# file: shop/stock.py
class Part:
    def count(self): return 1
class Screw(Part): pass

class Shelf:
    def __init__(self):
        self.parts = Parts()
        self.rules = []
    def check(self):
        for rule in self.rules:
            rule()
#           ^ calls: shop/stock.py:fresh from Shelf.check
#           ^ calls: shop/stock.py:clean from Shelf.check

class Parts:
    def __setitem__(self, name, part): pass
    def total(self): return 1

class Bill:
    def total(self): return 2

def fresh(): pass
def clean(): pass

class Cupboard(Shelf):
    def __init__(self):
        super().__init__()
        self.rules.append(fresh)
    def fill(self):
        self.parts["screw"] = Screw()
        self.parts.total()
#                  ^ calls: shop/stock.py:Parts.total from Cupboard.fill

class Drawer(Cupboard):
    def __init__(self):
        super().__init__()
        self.rules = [clean]
    def look(self):
        for rule in self.rules:
            rule()
#           ^ calls: shop/stock.py:clean from Drawer.look

# file: shop/either.py
from shop.stock import Part
class Box:
    def copy(self): return Part()

def copied(box: "Box | list[Box]"):
    box.copy().count()
#       ^ calls: shop/either.py:Box.copy from copied
#              ^ calls: shop/stock.py:Part.count from copied
