# The commands of The Worked Transformer. `make book` first; each sets up .venv when it has to.
PYTHON ?= python3
PORT ?= 8000

VENV := .venv
PY := $(VENV)/bin/python
INSTALLED := $(VENV)/.installed
FETCHED := _build/.fetched

MUTMUT := _build/mutmut
PEERS := _build/peers
OLDEST := _build/oldest
NEWEST := _build/newest
# Pins that no call of make newest moves: docs/maintaining.md, "What is frozen".
FROZEN ?= jupyter-book
space := $(subst ,, )

.PHONY: help book serve lab chapter refresh models check test test-all portable real mutants bench newest exercises solutions grade-mine release clean

help:
	@echo "make book       build the book (sets up .venv on the first call)"
	@echo "make serve      serve it on 127.0.0.1 (PORT=$(PORT))"
	@echo "make lab        work on copies of the chapters in JupyterLab"
	@echo "make real       fetch a published model of 98 MB, to ask it questions"
	@echo "make check      linters, types, doctests, unit tests: two minutes"
	@echo "make test       each thing once, in about ten minutes"
	@echo "make test-all   what make test leaves out (ONLY=\"judge pages\": see docs/maintaining.md)"
	@echo "make portable   notebooks and numeric tests as other processors would run them (ONLY=\"04 nn\")"
	@echo "make mutants    break the code, see the tests fail (NAMES=\"transformer_lib.decoding.*\")"
	@echo "make bench      measure ours beside its peers, into benchmarks/RESULTS.md"
	@echo "make chapter    run a chapter, store its outputs, say all that is missing in it (N=04)"
	@echo "make refresh    run the chapters and store their outputs anew (CHAPTERS=\"03 12\")"
	@echo "make models     train the models with the seeds that their figures lack"
	@echo "make newest     test with the newest release of each pin (ONLY=\"torch numpy\")"
	@echo "make exercises  make exercises/release from exercises/source"
	@echo "make grade-mine grade your own notebook (FILE=my/exercises/.../....ipynb)"
	@echo "make solutions  build the instructor's edition, with solutions"
	@echo "make release    test, and put the book, the solutions and the wheels into dist"
	@echo "make clean      remove what was built; keeps .venv, assets/vendor and my"

$(INSTALLED): requirements/direct.txt requirements/parity.txt requirements/lock.txt pyproject.toml exercises/pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Python 3.11 or newer is needed and $(PYTHON) is not: call make PYTHON=python3.11"; exit 1; }
	@echo "Setting up $(VENV) with $(PYTHON); the first time this takes minutes"
	@$(PYTHON) -m venv $(VENV)
	@$(PY) -m pip install --disable-pip-version-check -r requirements/direct.txt \
	  -r requirements/parity.txt -c requirements/lock.txt
	@$(PY) -m pip install --disable-pip-version-check --no-deps --no-build-isolation -e .
	@$(PY) -m pip install --disable-pip-version-check --no-deps --no-build-isolation -e ./exercises
	@# matplotlib says on stderr that it makes its font cache: better here than in a notebook's output
	@$(PY) -c 'import matplotlib.font_manager'
	@touch $@

# All that is fetched later than .venv: from then on nothing needs a network.
$(FETCHED): $(INSTALLED) book/assets.toml book/live/editor.mjs book/live/wheels.py
	@$(PY) -m book.assets
	@mkdir -p _build
	@touch $@

book: $(FETCHED)
	@$(PY) -m book.build

serve: $(INSTALLED)
	@$(PY) -m book.serve $(PORT)

lab: $(INSTALLED)
	@$(PY) -m book.lab

real: $(INSTALLED)
	@$(PY) -m course.published.fetch

chapter: $(INSTALLED)
	@$(PY) -m book.chapter $(N)

refresh: $(INSTALLED)
	@$(PY) -m book.refresh $(CHAPTERS)

models: $(INSTALLED)
	@$(PY) -m book.models
	@$(PY) -m book.experiments

check: $(FETCHED)
	@$(PY) -m book.verify check

test: $(FETCHED)
	@$(PY) -m book.verify test

test-all: $(FETCHED) $(OLDEST)/.installed $(if $(ONLY),$(filter real,$(ONLY)),real)
	@$(PY) -m book.verify long $(ONLY)

$(OLDEST)/.installed: $(INSTALLED) requirements/oldest.txt
	@mkdir -p $(OLDEST)
	@$(PY) -m pip install --disable-pip-version-check --quiet --upgrade --no-deps --target $(OLDEST) \
	  -r requirements/oldest.txt
	@touch $@

portable: $(INSTALLED)
	@$(PY) -m book.portable $(ONLY)

$(MUTMUT)/.installed: $(INSTALLED) requirements/mutants.txt
	@$(PY) -m pip install --disable-pip-version-check --quiet --upgrade --target $(MUTMUT) \
	  -r requirements/mutants.txt -c requirements/lock.txt
	@touch $@

mutants: $(MUTMUT)/.installed
	@PYTHONPATH=$(CURDIR)/$(MUTMUT) OMP_NUM_THREADS=1 $(PY) -m mutmut run --max-children 2 "$(or $(NAMES),*)"

$(PEERS)/.installed: $(INSTALLED) requirements/peers.txt
	@$(PY) -m pip install --disable-pip-version-check --quiet --upgrade --no-deps --target $(PEERS) \
	  -r requirements/peers.txt
	@touch $@

bench: $(PEERS)/.installed
	@PYTHONPATH=.:$(PEERS) $(PY) -m benchmarks.bench

newest:
	@rm -rf $(NEWEST) && $(PYTHON) -m venv $(NEWEST)
	@sed -E '/^($(subst $(space),|,$(strip $(FROZEN))))==/!s/^($(if $(ONLY),$(subst $(space),|,$(strip $(ONLY))),[^#=]+))==.*/\1/' \
	  requirements/direct.txt requirements/parity.txt > $(NEWEST)/asked.txt
	@$(NEWEST)/bin/python -m pip install --disable-pip-version-check -q -r $(NEWEST)/asked.txt
	@$(NEWEST)/bin/python -m pip install --disable-pip-version-check -q --no-deps --no-build-isolation \
	  -e . -e ./exercises
	@$(NEWEST)/bin/python -m pip freeze | sort -f | diff requirements/lock.txt - | grep '^[<>]' || true
	@CI=true $(NEWEST)/bin/python -m book.verify $(or $(WHAT),test)

exercises: $(INSTALLED)
	@$(PY) -m exercises.digests
	@$(PY) -m exercises.release
	@echo "exercises/release is made from exercises/source."

solutions: $(INSTALLED)
	@$(PY) -m book.solutions

grade-mine: $(INSTALLED)
	@$(PY) -m exercises.grader.mine "$(FILE)"

release: $(FETCHED)
	@$(PY) -m book.release

clean:
	@rm -rf _build mutants build course/build exercises/build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@echo "Removed what was built. Kept: .venv, assets/vendor, my."
