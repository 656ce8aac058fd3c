# Every target makes what it needs: on a machine with Python 3.11 or newer, `make play` is enough.
# Another Python than `python3`: make play PYTHON=python3.12

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
INSTALLED := $(VENV)/.installed
BENCH_INSTALLED := $(VENV)/.bench-installed
LOCK_VENV := .venv-lock
SAMPLE ?= 300
SEED ?= 1
PAGE := src/acesaround/static/index.html
PAGE_SOURCES := $(shell find frontend -type f -not -path '*/node_modules/*' -not -path '*/.*') hatch_build.py

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help play terminal test soak check format schema line mutants bench lock clean

help: ## Say what can be made
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "%-14s %s\n", $$1, $$2 }'

play: $(PAGE) ## Open the card table in a browser, for this home
	@$(BIN)/acesaround serve --open

terminal: $(INSTALLED) ## Play pinochle in the terminal
	@$(BIN)/acesaround play

test: $(PAGE) ## Run the tests
	@tests/system.sh
	$(BIN)/pytest

soak: $(PAGE) ## Run the long tests that `make test` leaves out
	@tests/system.sh
	$(BIN)/pytest -m soak

check: $(INSTALLED) ## Lint, formatting and types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	@$(BIN)/python frontend/check.py

format: $(INSTALLED) ## Put the code into its format
	$(BIN)/ruff check --select I --fix
	$(BIN)/ruff format
	@$(BIN)/python frontend/check.py format

schema: $(INSTALLED) ## Write down again what server and page say to each other
	$(BIN)/python frontend/write_schema.py

line: $(INSTALLED) ## Write the line of imports into CONTRIBUTING and docs/architecture
	$(BIN)/python -m tests.line_of_imports

mutants: $(INSTALLED) ## Say which small changes of the rules no test notices (SAMPLE=300 SEED=1)
	$(BIN)/python -m tests.mutants --sample $(SAMPLE) --seed $(SEED)

bench: $(BENCH_INSTALLED) ## Measure engine, kernels, server (LOAD=--full: the long run) and page
	$(BIN)/python bench/steps.py
	$(BIN)/python bench/fast.py $(FAST)
	$(BIN)/python bench/load.py $(LOAD)
	@tests/system.sh
	$(BIN)/python -m bench.page

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

# The environment is made anew when its Python is gone or too old, else only brought up to the lock.
$(INSTALLED): pyproject.toml requirements.lock
	$(USABLE)
	@echo "Installing what acesaround needs (once, about a minute) ..."
	@$(BIN)/python -c 'import pip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || "$(PYTHON)" -m venv --clear $(VENV)
	@$(PIP) install --require-hashes -r requirements.lock
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@; if test -f $(PAGE); then touch $(PAGE); fi

# The install builds the page; it is built again when its sources have changed since. Where it
# cannot be built that is said (pip hides the reason), and what needs no page works.
$(PAGE): $(INSTALLED) $(PAGE_SOURCES)
	@echo "Building the page of the browser table ..."
	@$(PIP) install --no-deps --no-build-isolation -e .
	@if test -f $@; then touch $@; else \
	  echo "The page could not be built here, so there is no table in the browser: see why with $(BIN)/pip install --no-deps --no-build-isolation -e ." >&2; fi

$(BENCH_INSTALLED): $(INSTALLED)
	@echo "Installing OpenSpiel and bridge's DDS to measure against (once, about a minute) ..."
	@$(PIP) install --no-build-isolation -e '.[bench]'
	@touch $@

# Pins for every system, so it names no index: pip takes whichever it is set up with. `make lock`
# keeps the versions that still fit; `make lock UPGRADE=--upgrade` takes the newest.
lock: ## Pin the dependencies of pyproject.toml again (UPGRADE=--upgrade for the newest)
	$(USABLE)
	@test -x $(LOCK_VENV)/bin/pip-compile || { "$(PYTHON)" -m venv --clear $(LOCK_VENV) && \
	  $(LOCK_VENV)/bin/python -m pip --disable-pip-version-check --quiet install 'pip-tools>=7.5'; }
	@CUSTOM_COMPILE_COMMAND='make lock' $(LOCK_VENV)/bin/pip-compile --quiet $(UPGRADE) \
	  --generate-hashes --strip-extras --extra dev --extra server --extra postgres --extra fast --extra plot --extra cluster --no-emit-index-url --no-emit-find-links \
	  --no-emit-trusted-host --output-file requirements.lock pyproject.toml
	@! grep -nE '://|^--' requirements.lock || { echo "requirements.lock names an address: nothing may." >&2; exit 1; }
