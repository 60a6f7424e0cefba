# file: shapes.py
from abc import ABC, abstractmethod
class Shape(ABC):
#           ^ inherits: ext:abc.ABC
    @abstractmethod
    def area(self): ...
    def size(self): raise NotImplementedError
    def show(self):
        """Show it."""
        self.area()
#            ^ calls: shapes.py:Round.area from Shape.show
#            ^ calls: shapes.py:Square.area from Shape.show
#            ^ calls: shapes.py:Shape.area from Shape.show
class Round(Shape):
    def area(self): return 1
#       ^ overrides: shapes.py:Shape.area
    def show(self):
        super().show()
#               ^ calls: shapes.py:Shape.show from Round.show
#               ^ calls-not: shapes.py:Round.show
class Square(Shape):
    def area(self): return 2
    def mixin(self): return self.elsewhere()
#                                ^ calls: shapes.py:Tile.elsewhere from Square.mixin
class Tile(Square):
    def elsewhere(self): pass
def exact():
    Round().show()
#           ^ calls: shapes.py:Round.show from exact
#           ^ calls-not: shapes.py:Shape.show
    Square().area()
#            ^ calls: shapes.py:Square.area from exact
#            ^ calls-not: shapes.py:Round.area
