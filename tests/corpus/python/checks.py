# file: shop/kinds.py
class Cash:
    def pay(self): pass
    def count(self): pass
class Card:
    def pay(self): pass
class Voucher:
    def pay(self): pass

# file: shop/till.py
from shop.kinds import Cash, Card, Voucher

def take(means):
    if isinstance(means, Cash):
        means.pay()
#             ^ calls: shop/kinds.py:Cash.pay from take
#             ^ calls-not: shop/kinds.py:Voucher.pay

def refuse(means):
    if not isinstance(means, Card):
        return
    means.pay()
#         ^ calls: shop/kinds.py:Card.pay from refuse

def either(means):
    assert isinstance(means, (Cash, Card))
    means.pay()
#         ^ calls: shop/kinds.py:Cash.pay from either
#         ^ calls: shop/kinds.py:Card.pay from either
#         ^ calls-not: shop/kinds.py:Voucher.pay

def inline(means):
    return isinstance(means, Voucher) and means.pay()
#                                               ^ calls: shop/kinds.py:Voucher.pay from inline

def exact(means):
    if type(means) is Cash:
        means.pay()
#             ^ calls: shop/kinds.py:Cash.pay from exact
#             ^ calls-not: shop/kinds.py:Voucher.pay

def one_of(means):
    if type(means) in (Cash, Card):
        means.pay()
#             ^ calls: shop/kinds.py:Cash.pay from one_of
#             ^ calls: shop/kinds.py:Card.pay from one_of
#             ^ calls-not: shop/kinds.py:Voucher.pay

def matched(means):
    match means:
        case Cash() | Card():
            means.pay()
#                 ^ calls: shop/kinds.py:Cash.pay from matched
#                 ^ calls: shop/kinds.py:Card.pay from matched
#                 ^ calls-not: shop/kinds.py:Voucher.pay

def matched_inside(till):
    match till.means:
        case Voucher():
            till.means.pay()
#                      ^ calls: shop/kinds.py:Voucher.pay from matched_inside
#                      ^ calls-not: shop/kinds.py:Cash.pay

def known(means: Card):
    if isinstance(means, int):
        return
    means.pay()
#         ^ calls: shop/kinds.py:Card.pay from known
#         ^ calls-not: shop/kinds.py:Cash.pay

def held(till):
    if isinstance(till.means, Cash):
        till.means.pay()
#                  ^ calls: shop/kinds.py:Cash.pay from held

class Till:
    def take(self):
        if isinstance(self.last.means, Card):
            self.last.means.pay()
#                           ^ calls: shop/kinds.py:Card.pay from Till.take
#                           ^ calls-not: shop/kinds.py:Voucher.pay
    def other(self):
        self.last.means.pay()
#                       ^ calls-not: shop/kinds.py:Card.pay

# file: tests/test_marks.py
import pytest
from shop.kinds import Cash

pytestmark = pytest.mark.usefixtures("filled")
#                                     ^ tests: tests/test_marks.py:filled from test_of_the_file
#                                     ^ tests: tests/test_marks.py:filled from TestOpen.test_both
#                                     ^ tests-not: tests/test_marks.py:open

@pytest.fixture
def filled(): return Cash().count()

@pytest.fixture
def open(): return Cash().pay()

def test_of_the_file(): pass

class TestOpen:
    pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("open")]
#                                                            ^ tests: tests/test_marks.py:open from TestOpen.test_both
    def test_both(self): pass
# file: shop/makers.py
from shop.kinds import Cash, Card, Voucher

class Maker:
    @classmethod
    def make(cls): pass
    def use(self): pass
class Fast(Maker):
    @classmethod
    def make(cls): pass

def made(kind):
    if issubclass(kind, Maker):
        kind.make()
#            ^ calls: shop/makers.py:Maker.make from made
#            ^ calls: shop/makers.py:Fast.make from made
        kind().use()
#              ^ calls: shop/makers.py:Maker.use from made
    kind.pay()
#        ^ calls-not: shop/kinds.py:Cash.pay
