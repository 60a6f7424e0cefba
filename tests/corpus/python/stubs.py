# file: pkg/__init__.py
# file: pkg/fast.py
def make(size): return _c.make(size)
#   ^ defines: make
class Engine:
    def start(self): pass
    def twin(self): return _c.twin(self)
# file: pkg/fast.pyi
def make(size: int) -> Engine: ...
class Engine:
    speed: Gauge
    def start(self) -> None: ...
    def twin(self) -> Engine: ...
    def hidden(self) -> Gauge: ...
#       ^ defines: Engine.hidden
class Gauge:
#     ^ defines: Gauge
    def read(self): ...
# file: pkg/native.pyi
def boot() -> int: ...
#   ^ defines: boot
# file: use.py
from pkg.fast import make
#                    ^ imports: pkg/fast.py:make
#                    ^ imports: pkg/fast.py
#                    ^ imports-not: pkg/fast.pyi:make
import pkg.native
#      ^ imports: pkg/native.pyi
def go():
    make(3).start()
#   ^ calls: pkg/fast.py:make from go
#           ^ calls: pkg/fast.py:Engine.start from go
    make(3).twin().start()
#                  ^ calls: pkg/fast.py:Engine.start from go
    make(3).speed.read()
#                 ^ calls: pkg/fast.pyi:Gauge.read from go
    make(3).hidden().read()
#           ^ calls: pkg/fast.pyi:Engine.hidden from go
#                    ^ calls: pkg/fast.pyi:Gauge.read from go
    pkg.native.boot()
#              ^ calls: pkg/native.pyi:boot from go
