# file: shop/steps.py
class Step:
    def run(self):
        self.prepare()
#            ^ calls: shop/steps.py:Step.prepare from Step.run
#            ^ calls: shop/steps.py:Quick.prepare from Step.run
#            ^ calls: shop/steps.py:Careful.prepare from Step.run
#            ^ calls-not: shop/steps.py:Other.prepare
    def prepare(self): pass

class Quick(Step):
    def prepare(self): pass

class Careful(Step):
    def run(self):
        return super().run()
    def prepare(self): pass

class Other(Step):
    def run(self): pass
    def prepare(self): pass

def outside(step: Step):
    step.prepare()
#        ^ calls: shop/steps.py:Other.prepare from outside

# file: shop/beside.py
class Base:
    def go(self):
        self.check()
#            ^ calls: shop/beside.py:Base.check from Base.go
#            ^ calls: shop/beside.py:Strict.check from Base.go
    def check(self): pass
    def end(self): pass

class Strict:
    def check(self):
        self.end()
#            ^ calls: shop/beside.py:Base.end from Strict.check
#            ^ calls-not: shop/beside.py:Stranger.end

class Both(Strict, Base): pass

class Stranger:
    def end(self): pass

# file: shop/cooperating.py
class Logged:
    def save(self):
        super().save()
#               ^ calls: shop/cooperating.py:Store.save from Logged.save
#               ^ calls-not: shop/cooperating.py:Elsewhere.save

class Store:
    def save(self): pass

class Elsewhere:
    def save(self): pass

class LoggedStore(Logged, Store): pass
