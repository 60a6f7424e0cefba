# file: shop/box.py
class Box:
    def __getitem__(self, key): return 1
    def __setitem__(self, key, value): pass

def read(box: Box): return box["a"]
#                             ^ calls: shop/box.py:Box.__getitem__ from read
#                             ^ calls-not: shop/box.py:Box.__setitem__

def write(box: Box):
    box["a"] = 1
#      ^ calls: shop/box.py:Box.__setitem__ from write
#      ^ calls-not: shop/box.py:Box.__getitem__

def drop(box: Box):
    del box[key()]
#          ^ calls-not: shop/box.py:Box.__getitem__
#           ^ calls: shop/box.py:key from drop

def key(): return "a"

# file: shop/lazy.py
class lazy_property:
    def __init__(self, make):
        self.make = make
    def __get__(self, obj, kind=None):
        return self.make(obj)
#                   ^ calls: shop/lazy.py:Car.engine from lazy_property.__get__

class Engine:
    def start(self): pass

class Car:
    @lazy_property
    def engine(self): return Engine()

def go(car: Car):
    car.engine.start()
#       ^ calls: shop/lazy.py:lazy_property.__get__ from go
#       ^ calls: shop/lazy.py:Car.engine from go
#              ^ calls: shop/lazy.py:Engine.start from go
