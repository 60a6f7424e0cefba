# file: src/shop/__init__.py
from .impl import settle as pay_now
#                 ^ imports: src/shop/impl.py:settle
#      ^ imports: src/shop/impl.py
from .deep import refund, secret
from shop.ring import around
# file: src/shop/impl.py
def settle(n): return n
# file: src/shop/deep/__init__.py
from .one import *
#     ^ imports: src/shop/deep/one.py
# file: src/shop/deep/one.py
__all__ = ["refund"]
def refund(): return 1
def secret(): return 2
# file: src/shop/ring/__init__.py
from shop.ring.inner import around
# file: src/shop/ring/inner/__init__.py
from shop.ring import around, nowhere
from shop import pay_now, around as again
def around(): return pay_now(1)
#                    ^ calls: src/shop/impl.py:settle from around
# file: src/other/impl.py
def settle(n): return -n
# file: tests/test_pay.py
from shop import pay_now, refund, secret, around
#                ^ imports: src/shop/impl.py:settle
#                ^ imports: src/shop/__init__.py
#                         ^ imports: src/shop/deep/one.py:refund
#                                 ^ imports-not: src/shop/deep/one.py:secret
import shop as market
def test_pay(): assert pay_now(1)
#                      ^ calls: src/shop/impl.py:settle from test_pay
#                      ^ tests: src/shop/impl.py:settle from test_pay
#                      ^ calls-not: src/other/impl.py:settle
def test_refund(): return refund(), market.refund()
#                         ^ calls: src/shop/deep/one.py:refund from test_refund
def test_ring(): return around()
#                       ^ calls: src/shop/ring/inner/__init__.py:around from test_ring
def test_secret(): return secret()
#                         ^ calls-not: src/shop/deep/one.py:secret
