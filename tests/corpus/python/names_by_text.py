# file: hooks/host.py
class Quiet:
    def on_start(self): pass
    def on_stop(self): pass
    def on_error(self): pass
class Loud:
    def on_start(self): pass
    def on_stop(self): pass

class Host:
    def __init__(self):
        self.listeners = [Quiet(), Loud()]
    def tell(self, hook, otherwise="on_error"):
        for listener in self.listeners:
            getattr(listener, hook)()
#           ^ calls: hooks/host.py:Quiet.on_start from Host.tell
#           ^ calls: hooks/host.py:Loud.on_stop from Host.tell
#           ^ calls-not: hooks/host.py:Quiet.on_error
            getattr(listener, otherwise)()
#           ^ calls: hooks/host.py:Quiet.on_error from Host.tell
    def tell_later(self, hook):
        self.tell(hook)
    def run(self):
        self.tell("on_start")
        self.tell_later(hook="on_stop")

STEPS = ("on_start", "on_stop")

def walk(loud: Loud, name):
    for step in STEPS:
        getattr(loud, step)()
#       ^ calls: hooks/host.py:Loud.on_start from walk
#       ^ calls: hooks/host.py:Loud.on_stop from walk
    for step in ["on_stop"]:
        getattr(loud, step, None)()
#       ^ calls: hooks/host.py:Loud.on_stop from walk
    getattr(loud, name)()
#   ^ calls-not: hooks/host.py:Loud.on_start
