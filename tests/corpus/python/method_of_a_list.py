# file: log.py
def append(row): return [row]
# file: use.py
import log
def real(): return log.append(1)
#                      ^ calls: log.py:append from real
def fake(d): d.setdefault("k", []).append(2)
#                                  ^ calls-not: log.py:append
def fake2(rows):
    rows.append(3)
#        ^ calls-not: log.py:append
#        ^ unresolved: append
# file: only.py
class Journal:
    def append(self, row): return row
    def record_row(self, row): return row
def unknown(thing):
    thing.append(1)
#         ^ calls-not: only.py:Journal.append
    thing.record_row(1)
#         ^ calls: only.py:Journal.record_row from unknown
