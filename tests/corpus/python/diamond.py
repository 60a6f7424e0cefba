# file: diamond.py
class Root:
    def hi(self): return self.name()
#                             ^ calls: diamond.py:Root.name from Root.hi
#                             ^ calls: diamond.py:R.name from Root.hi
    def name(self): return "root"
class L(Root): pass
#       ^ inherits: diamond.py:Root
class R(Root):
    def name(self): return "r"
#       ^ overrides: diamond.py:Root.name
class Leaf(L, R):
#          ^ inherits: diamond.py:L
#             ^ inherits: diamond.py:R
    def go(self): return self.name()
#                             ^ calls: diamond.py:R.name from Leaf.go
#                             ^ calls-not: diamond.py:Root.name
#                             ^ calls-not: diamond.py:Stranger.name
    def up(self): return super().hi()
#                                ^ calls: diamond.py:Root.hi from Leaf.up
    def upper(self): return super(Leaf, self).name()
#                                             ^ calls: diamond.py:R.name from Leaf.upper
class Stranger:
    def name(self): return "?"
#       ^ overrides-not: diamond.py:Root.name
