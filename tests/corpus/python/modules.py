# file: src/ns/part/mod.py
def f(): pass
# file: src/ns/other/mod.py
from ns.part.mod import f
#                       ^ imports: src/ns/part/mod.py:f
from ..part import mod
#                  ^ imports: src/ns/part/mod.py
from ns.part import mod as again
#                          ^ imports: src/ns/part/mod.py
def h(): return again.f()
#                     ^ calls: src/ns/part/mod.py:f from h
def g(): return f(), mod.f()
#               ^ calls: src/ns/part/mod.py:f from g
# file: src/real/__init__.py
# file: src/real/json.py
def dumps(x): pass
# file: src/real/requests.py
import requests
#      ^ imports: ext:requests
def get(): return requests.get("x")
#                          ^ calls: ext:requests.get from get
# file: src/real/use.py
import json
#      ^ imports: ext:json
#      ^ imports-not: src/real/json.py
import yaml
#      ^ imports: ext:yaml
import a.b.c as deep
def go():
    json.dumps(1)
#        ^ calls: ext:json.dumps from go
    yaml.load("")
#        ^ calls: ext:yaml.load from go
    deep.end()
#        ^ calls: ext:a.b.c.end from go
    len("")
#   ^ calls-not: ext:len
    nowhere()
#   ^ unresolved: nowhere
# file: tests/yaml/cases.py
x = 1
# file: examples/one/app.py
def run(): pass
# file: examples/one/main.py
from app import run
#               ^ imports: examples/one/app.py:run
# file: examples/two/app.py
def run(): pass
# file: examples/two/main.py
from app import run
#               ^ imports: examples/two/app.py:run
#               ^ imports-not: examples/one/app.py:run
# file: scripts/tool.py
import ns.part.mod as m
#      ^ imports: src/ns/part/mod.py
m.f()
# ^ calls: src/ns/part/mod.py:f from module
from real import missing
#                ^ imports: src/real/__init__.py
