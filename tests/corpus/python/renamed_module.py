# file: bank/__init__.py
# file: bank/fees.py
def levy(x): return x * 2
#   ^ defines: levy
# file: bank/a.py
from bank import fees as tariff
#                        ^ imports: bank/fees.py
def one(): return tariff.levy(1)
#                        ^ calls: bank/fees.py:levy from one
# file: bank/b.py
import bank.fees as f2
#           ^ imports: bank/fees.py
#           ^ imports: bank/__init__.py
def two(): return f2.levy(2)
#                    ^ calls: bank/fees.py:levy from two
# file: bank/c.py
import bank.fees
def three(): return bank.fees.levy(3)
#                             ^ calls: bank/fees.py:levy from three
# file: bank/d.py
try:
    from . import fees as opt
#                 ^ imports: bank/fees.py
except ImportError:
    opt = None
def four(): return opt.levy(4)
#                      ^ calls: bank/fees.py:levy from four
# file: bank/e.py
import os as o
#            ^ imports: ext:os
def five(): return o.getcwd()
#                    ^ calls: ext:os.getcwd from five
#                    ^ calls-not: bank/fees.py:levy
