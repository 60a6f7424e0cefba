# file: desk/registry.py
from collections import OrderedDict, UserList

class Save:
    def run(self): pass
class Load:
    def run(self): pass
class Quit:
    def run(self): pass

class Commands(dict):
    def add(self, name, command):
        self[name] = command
    def every(self):
        for command in self.values():
            command.run()
#                   ^ calls: desk/registry.py:Save.run from Commands.every
#                   ^ calls-not: desk/registry.py:Quit.run

class Named(OrderedDict): pass

class Steps(list):
    def then(self, step):
        self.append(step)
        return self
    def go(self):
        for step in self:
            step.run()
#                ^ calls: desk/registry.py:Load.run from Steps.go
#                ^ calls-not: desk/registry.py:Save.run

class Undone(Steps): pass

class Queue(UserList):
    pass

class Shelf:
    def __setitem__(self, name, value): pass
    def __getitem__(self, name): return None
    def put(self, value): self["x"] = value

def start():
    commands = Commands()
    commands.add("save", Save())
    commands["save"].run()
#                    ^ calls: desk/registry.py:Save.run from start
    commands.get("save").run()
#                        ^ calls: desk/registry.py:Save.run from start

def named():
    table = Named(load=Load(), save=Save())
    table["load"].run()
#                 ^ calls: desk/registry.py:Load.run from named
    table["quit"] = Quit()
    table["quit"].run()
#                 ^ calls: desk/registry.py:Quit.run from named
    given = Named({"save": Save()})
    given["save"].run()
#                 ^ calls: desk/registry.py:Save.run from named
#                 ^ calls-not: desk/registry.py:Load.run

def steps():
    Undone().then(Load()).go()
    for one in Queue([Quit()]):
        one.run()
#           ^ calls: desk/registry.py:Quit.run from steps
    shelf = Shelf()
    shelf.put(Save())
    shelf["x"].run()
#              ^ calls-not: desk/registry.py:Save.run
