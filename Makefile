# Two commands to start with: `make demo` shows what it does, `make test` shows that it works.
#
# make demo REPO=path QUESTION="…"    the same on a repository of yours; its index stays out of it

PYTHON ?= python3
FLASK  := .demo/flask-3.0.3
REPO   ?= $(FLASK)
ifeq ($(REPO),$(FLASK))
QUESTION ?= what breaks if I change url_for?
else
QUESTION ?= where is the configuration read?
endif
INDEX  := .demo/index/$(notdir $(abspath $(REPO)))
PIP    := --quiet --disable-pip-version-check

# Handed over by the environment: a path or a question may hold any letter.
export REPO QUESTION INDEX

.PHONY: demo test check train wheel

demo: .demo/bin/hindsight $(filter $(FLASK),$(REPO))
	@printf '\n$$ hindsight-ingest %s\n\n' "$$REPO"
	@.demo/bin/hindsight-ingest "$$REPO" --index "$$INDEX"
	@printf '\n$$ hindsight ask "%s"\n\n' "$$QUESTION"
	@.demo/bin/hindsight ask "$$QUESTION" --index "$$INDEX"

test: .venv/bin/pytest
	.venv/bin/pytest

check: .venv/bin/pytest
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	.venv/bin/mypy

# Compiled where an ingest spends its time. Built from a source distribution, so nothing compiled is left here.
wheel: .venv/bin/pytest
	HATCH_BUILD_HOOK_ENABLE_MYPYC=true .venv/bin/python -m build --outdir dist

# What ships as data: the intent model and the ranking. Fetches and ingests 127 source releases into the user's cache, and
# goes on where it stopped; HINDSIGHT_BENCH says where the training data is.
train: .venv/bin/pytest
	.venv/bin/pip install $(PIP) 'lightgbm>=4.6,<5' 'scikit-learn>=1.6,<2'
	.venv/bin/python -m benchmarks.train.intent
	-.venv/bin/python -m benchmarks.train.prepare
	.venv/bin/python -m benchmarks.train.table
	.venv/bin/python -m benchmarks.train.ranking

.demo/bin/hindsight: pyproject.toml
	@echo 'Making an environment in .demo …'
	@$(PYTHON) -m venv .demo
	@.demo/bin/pip install $(PIP) --editable .
	@touch $@

$(FLASK): | .demo/bin/hindsight
	@echo 'Fetching the sources of flask 3.0.3 …'
	@.demo/bin/pip download $(PIP) --no-deps --no-binary :all: --dest .demo flask==3.0.3
	@tar -xzf $@.tar.gz -C .demo

.venv/bin/pytest: pyproject.toml
	$(PYTHON) -m venv .venv
	.venv/bin/pip install $(PIP) --editable '.[dev]'
	@touch $@
