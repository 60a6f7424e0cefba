# file: zoo/animals.py
class Animal:
    @classmethod
    def born(cls, name): return cls()
#                               ^ calls: zoo/animals.py:Cat from Animal.born
#                               ^ calls: zoo/animals.py:Cat.__init__ from Animal.born
#                               ^ calls: zoo/animals.py:Dog from Animal.born
#                               ^ calls-not: zoo/animals.py:Fish
    def twin(self): return self.__class__()
#                               ^ calls: zoo/animals.py:Cat from Animal.twin
#                               ^ calls-not: zoo/animals.py:Dog
    def child(self): return type(self)()
#                           ^ calls: zoo/animals.py:Fish from Animal.child
#                           ^ calls-not: zoo/animals.py:Cat
    def alike(self, other): return other.__class__()
#                                        ^ calls-not: zoo/animals.py:Dog

class Cat(Animal):
    def __init__(self): pass

class Dog(Animal):
    @classmethod
    def born(cls, name): return super().born(name)

class Fish(Animal):
    def spawn(self): return self.child()

def keep(dog: Dog):
    Cat.born("a")
    Cat().twin()
    dog.alike(Cat())

# file: zoo/fields.py
class Unbound:
    def __init__(self, kind): self.kind = kind
    def bind(self): return self.kind()
#                               ^ calls: zoo/fields.py:Text from Unbound.bind
#                               ^ calls: zoo/fields.py:Number from Unbound.bind
#                               ^ calls-not: zoo/fields.py:Never

class Field:
    def __new__(cls): return Unbound(cls)
class Text(Field): pass
class Number(Field):
    def __init__(self): pass
class Never(Field): pass

def form():
    return Text(), Number()
#          ^ calls: zoo/fields.py:Field.__new__ from form
#                  ^ calls: zoo/fields.py:Field.__new__ from form
#                  ^ calls: zoo/fields.py:Number.__init__ from form

# file: zoo/lent.py
class Keeper:
    def feed(self): pass
class Visitor:
    def feed(self): pass

def feeding(name):
    def feed_first(self, *args):
        self.feed()
#            ^ calls: zoo/lent.py:Zoo.feed from feeding.feed_first
#            ^ calls-not: zoo/lent.py:Keeper.feed
    return feed_first

def twice(one): one.feed()
#                   ^ calls: zoo/lent.py:Zoo.feed from twice
#                   ^ calls-not: zoo/lent.py:Visitor.feed
def alone(one): one.feed()
#                   ^ calls: zoo/lent.py:Visitor.feed from alone
#                   ^ calls-not: zoo/lent.py:Zoo.feed

class Zoo:
    open = feeding("open")
    twice = twice
    alone = staticmethod(alone)
    def feed(self): pass

def day(zoo: Zoo):
    zoo.open(Keeper())
    zoo.twice()
    zoo.alone(Visitor())
