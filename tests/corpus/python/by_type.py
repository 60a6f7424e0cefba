# file: shop/shown.py
import functools
from functools import singledispatchmethod

class Part:
    def name(self): pass
class Box:
    def name(self): pass

@functools.singledispatch
def show(thing): return ""

@show.register
def show_part(thing: Part): return thing.name()

@show.register(Box)
def _(thing): return ""

@functools.singledispatch
def other(thing): return ""

def use(thing): return show(thing)
#                      ^ calls: shop/shown.py:show from use
#                      ^ calls: shop/shown.py:show_part from use
#                      ^ calls: shop/shown.py:_ from use
def alone(thing): return other(thing)
#                        ^ calls: shop/shown.py:other from alone
#                        ^ calls-not: shop/shown.py:show_part

class Printer:
    @singledispatchmethod
    def put(self, thing): pass
    @put.register
    def put_box(self, thing: Box): pass
    def run(self, thing): self.put(thing)
#                              ^ calls: shop/shown.py:Printer.put from Printer.run
#                              ^ calls: shop/shown.py:Printer.put_box from Printer.run

class Table:
    def register(self, function): return function
table = Table()
@table.register
def kept(thing): pass
def plain(thing): return kept(thing)
#                        ^ calls: shop/shown.py:kept from plain
#                        ^ calls-not: shop/shown.py:show_part
