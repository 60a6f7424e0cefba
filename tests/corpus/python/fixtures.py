# file: calc.py
class Total:
    def add(self, x): return x
def low(x): return x
def mid(x): return low(x)
# file: tests/conftest.py
import pytest, calc
@pytest.fixture
def ready(): return calc.mid(1)
#                        ^ calls: calc.py:mid from ready
@pytest.fixture
def total(ready):
#         ^ calls: tests/conftest.py:ready from total
    yield calc.Total()
# file: tests/deep/conftest.py
import pytest
@pytest.fixture()
def ready(ready): return ready
#         ^ calls: tests/conftest.py:ready from ready
# file: tests/helper.py
def check(x): return x
# file: tests/test_story.py
import helper
#      ^ imports: tests/helper.py
from helper import check
#                  ^ imports: tests/helper.py:check
def test_user_sees_total(ready, total):
#                        ^ tests: tests/conftest.py:ready from test_user_sees_total
#                               ^ tests: tests/conftest.py:total from test_user_sees_total
    check(total.add(1))
#   ^ calls: tests/helper.py:check from test_user_sees_total
#   ^ tests-not: tests/helper.py:check
#               ^ tests: calc.py:Total.add from test_user_sees_total
# file: tests/deep/test_more.py
class TestMore:
    def test_more(self, ready): pass
#                       ^ tests: tests/deep/conftest.py:ready from TestMore.test_more
