# Every target makes what it needs: on a machine with Python 3.11 or newer, `make play` is enough.
# Another Python than `python3`: make play PYTHON=python3.12

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
INSTALLED := $(VENV)/.installed
EQUIPPED := $(VENV)/.equipped
BENCH_INSTALLED := $(VENV)/.bench-installed
DOCS_INSTALLED := $(VENV)/.docs-installed
LOCK_VENV := .venv-lock
SAMPLE ?= 300
SEED ?= 1
BUILT := src/acesaround/static/index.html
PAGE_SOURCES := $(shell find frontend -type f -not -path '*/node_modules/*' -not -path '*/.*') hatch_build.py \
	src/acesaround/rulebook/glossary.json

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help play terminal test soak gate steady simulate check lint layout types pages format schema mutants bench docs release lock clean

help: ## Say what can be made
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "%-14s %s\n", $$1, $$2 }'

play: $(BUILT) ## Open the card table in a browser, for this home
	@$(BIN)/acesaround serve --open

terminal: $(INSTALLED) ## Play pinochle in the terminal
	@$(BIN)/acesaround play

test: ## Run the tests
	$(USABLE)
	@"$(PYTHON)" -m tests.gate test

soak: ## Run the long tests that `make test` leaves out
	$(USABLE)
	@"$(PYTHON)" -m tests.gate soak

gate: ## Run tests and checks side by side: what has to hold before a change is merged
	$(USABLE)
	@"$(PYTHON)" -m tests.gate

steady: ## Run the tests twelve times, under four conditions, until one run fails
	$(USABLE)
	@"$(PYTHON)" -m tests.repeated_runs

simulate: $(EQUIPPED) ## Run the simulated world of a seed, and tell its story if it fails (SEED=1)
	@$(BIN)/python -m tests.simulation $(SEED)

check: lint layout types pages ## Lint, formatting and types

lint: $(EQUIPPED)
	$(BIN)/ruff check
	@$(BIN)/lint-imports

layout: $(EQUIPPED)
	$(BIN)/ruff format --check

types: $(EQUIPPED)
	$(BIN)/mypy
	$(BIN)/python -m tests.docs_types
	$(BIN)/python -m tests.public_types

pages: $(EQUIPPED)
	@$(BIN)/python -m frontend.check

format: $(EQUIPPED) ## Put the code into its format
	$(BIN)/ruff check --select I --fix
	$(BIN)/ruff format
	@$(BIN)/python -m frontend.check format

schema: $(EQUIPPED) ## Write again what is made from the code: the page's types, the schema of rule sheets, docs/words.md
	$(BIN)/python frontend/write_types.py
	$(BIN)/python -m acesaround.sheets.schema
	$(BIN)/python -c 'from acesaround.rulebook.glossary import all_words; print(all_words(), end="")' > docs/words.md

mutants: $(EQUIPPED) ## Say which small changes of the rules no test notices (SAMPLE=300 SEED=1)
	$(BIN)/python -m tests.mutation --sample $(SAMPLE) --seed $(SEED)

bench: $(BENCH_INSTALLED) $(BUILT) ## Measure engine, kernels, server (LOAD=--full: the long run) and page
	$(BIN)/python bench/engine_speed.py
	$(BIN)/python bench/fast.py $(FAST)
	$(BIN)/python bench/load.py $(LOAD)
	@tests/system.sh
	$(BIN)/python -m bench.page_speed

docs: $(DOCS_INSTALLED) ## Build the pages of the documentation into build/site, and check their links
	$(BIN)/python -m docs.website.build build/site

release: $(EQUIPPED) $(BUILT) ## Build the packages of a release, and tag it with its notes (VERSION=0.2.0)
	@$(BIN)/python make_release.py $(or $(VERSION),$(error Say which: make release VERSION=0.2.0))

clean: ## Remove the environments, caches and build outputs
	rm -rf $(VENV) $(LOCK_VENV) .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist src/acesaround/static frontend/node_modules

# Says what is wrong with PYTHON in one sentence, or nothing. Debian ships venv without ensurepip.
define USABLE
@command -v "$(PYTHON)" >/dev/null 2>&1 || { \
  echo "Aces Around needs Python 3.11 or newer, and there is no '$(PYTHON)' here: install one, or name it with PYTHON=python3.12."; exit 1; } >&2
@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
  echo "Aces Around needs Python 3.11 or newer, and '$(PYTHON)' is $$("$(PYTHON)" --version 2>&1): name a newer one, such as PYTHON=python3.12."; exit 1; } >&2
@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { \
  echo "'$(PYTHON)' cannot make virtual environments: install its venv package first (on Debian and Ubuntu: sudo apt install python3-venv)."; exit 1; } >&2
endef

# What playing needs. The environment is made anew when its Python is gone or too old, else only
# brought up to the lock; Python compiles what is used of it when it is used.
$(INSTALLED): pyproject.toml requirements-play.lock
	$(USABLE)
	@echo "Installing what playing needs (once, about half a minute) ..."
	@$(BIN)/python -c 'import pip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || "$(PYTHON)" -m venv --clear $(VENV)
	@$(PIP) install --no-compile --require-hashes -r requirements-play.lock
	@PAGE=apart $(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

# And what working on it needs besides.
$(EQUIPPED): $(INSTALLED) requirements.lock
	@echo "Installing what checks and tests need besides (once, about half a minute) ..."
	@$(PIP) install --no-compile --require-hashes -r requirements.lock
	@touch $@

# Built when its sources have changed since. Where it cannot be built that is said, and what needs no
# page works; with PAGE=required it is an error.
$(BUILT): $(INSTALLED) $(PAGE_SOURCES)
	@echo "Building the page of the browser table ..."
	@if $(BIN)/python frontend/build.py && test -f $@; then touch $@; else test "$(PAGE)" != required; fi

$(BENCH_INSTALLED): $(EQUIPPED)
	@echo "Installing OpenSpiel and bridge's DDS to measure against (once, about a minute) ..."
	@$(PIP) install --no-build-isolation -e '.[bench]'
	@touch $@

$(DOCS_INSTALLED): $(INSTALLED) requirements-docs.lock
	@echo "Installing what the documentation needs besides (once, about ten seconds) ..."
	@$(PIP) install --no-compile --require-hashes -r requirements-docs.lock
	@touch $@

# Pins for every system, so they name no index: pip takes whichever it is set up with. `make lock`
# keeps the versions that still fit; `make lock UPGRADE=--upgrade` takes the newest. What playing
# needs, and what the documentation needs, is pinned within what all of it is pinned to.
COMPILE = CUSTOM_COMPILE_COMMAND='make lock' $(LOCK_VENV)/bin/pip-compile --quiet --generate-hashes --strip-extras \
  --no-emit-index-url --no-emit-find-links --no-emit-trusted-host
PLAYING := --extra server --extra fast --extra page
lock: ## Pin the dependencies of pyproject.toml again (UPGRADE=--upgrade for the newest)
	$(USABLE)
	@test -x $(LOCK_VENV)/bin/pip-compile || { "$(PYTHON)" -m venv --clear $(LOCK_VENV) && \
	  $(LOCK_VENV)/bin/python -m pip --disable-pip-version-check --quiet install 'pip-tools>=7.5'; }
	@$(COMPILE) $(UPGRADE) $(PLAYING) --extra dev --extra postgres --extra plot --extra cluster \
	  --extra openspiel --extra pettingzoo --extra gymnasium \
	  --output-file requirements.lock pyproject.toml
	@$(COMPILE) $(PLAYING) --no-annotate --constraint requirements.lock --output-file requirements-play.lock pyproject.toml
	@$(COMPILE) --extra docs --no-annotate --constraint requirements.lock --output-file requirements-docs.lock pyproject.toml
	@! grep -nE '://|^--' requirements*.lock || { echo "A list of pins names an address: nothing may." >&2; exit 1; }
