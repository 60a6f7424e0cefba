# file: shop/basket.py
class Basket:
    def __contains__(self, part): return True
    def __len__(self): return 1
    def __str__(self): return ""
    def __bool__(self): return True
    def count(self): return 1
class Box:
    def __len__(self): return 1
    def __contains__(self, part): return True

def use(basket: Basket, part):
    if part in basket: pass
#              ^ calls: shop/basket.py:Basket.__contains__ from use
#              ^ calls-not: shop/basket.py:Box.__contains__
    if basket not in [part]: pass
    return len(basket)
#          ^ calls: shop/basket.py:Basket.__len__ from use

def shown(basket: Basket): return str(basket)
#                                 ^ calls: shop/basket.py:Basket.__str__ from shown
def empty(basket: Basket): return not basket
#                                     ^ calls: shop/basket.py:Basket.__bool__ from empty
def perhaps(basket: "Basket | None | str"): return not basket
#                                                      ^ calls-not: shop/basket.py:Basket.__bool__
def either(one: "Basket | Box"): return len(one)
#                                       ^ calls-not: shop/basket.py:Box.__len__
def inside(part, box: Box): return box in Basket()
#                                      ^ calls: shop/basket.py:Basket.__contains__ from inside
#                                      ^ calls-not: shop/basket.py:Box.__contains__

# file: shop/own.py
from shop.basket import Basket
def len(basket): return 1
def use(basket: Basket): return len(basket)
#                               ^ calls: shop/own.py:len from use
#                               ^ calls-not: shop/basket.py:Basket.__len__

# file: shop/handed_on.py
from shop.basket import Basket

class Reading:
    def __get__(self, instance, owner): return Basket()
    def __set__(self, instance, value): pass
class Below(Reading): pass
class Shop:
    basket = Reading()
    other = Below()
    plain = Basket()
    def use(self): return self.basket.count()
#                              ^ calls: shop/handed_on.py:Reading.__get__ from Shop.use
#                                     ^ calls: shop/basket.py:Basket.count from Shop.use
    def fill(self): self.other = 1
#                        ^ calls: shop/handed_on.py:Reading.__set__ from Shop.fill
#                        ^ calls-not: shop/handed_on.py:Reading.__get__
    def count(self): return self.plain.count()
#                                ^ calls-not: shop/handed_on.py:Reading.__get__

class Proxy:
    def __init__(self, inner): self.inner = inner
    def __getattr__(self, name): return getattr(self.inner, name)
    def own(self): pass
class Closed:
    def __init__(self, inner): self.inner = inner
    def __getattr__(self, name): return None
class Round:
    def __getattr__(self, name): return getattr(self, name)

def through():
    Proxy(Basket()).count()
#                   ^ calls: shop/basket.py:Basket.count from through
    Proxy(Basket()).own()
#                   ^ calls: shop/handed_on.py:Proxy.own from through
def closed():
    Closed(Basket()).count()
#                    ^ calls-not: shop/basket.py:Basket.count
    Round().count()
#           ^ calls-not: shop/basket.py:Basket.count
