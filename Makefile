# Everything runs from the virtual environment in this checkout; `make help` lists the targets.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
STAMP := .venv/.installed
FLOORS := core events api replay
PIP := -m pip --disable-pip-version-check -qq
WORKERS ?= 2
PYTEST := $(BIN)/python -m pytest
# The tests, and every example in a docstring or a Markdown file.
TESTED := --doctest-modules --doctest-glob='*.md' tests $(FLOORS) README.md
ARGS ?=

.PHONY: help
help: ## list these targets
	@awk -F ':.*## ' '/^[.a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: .venv
.venv: $(STAMP) ## install the locked versions into .venv, when the lock or pyproject.toml changed

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	    || { echo 'Python 3.11 or newer is needed; name it with: make PYTHON=... .venv' >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv \
	    || { rm -rf .venv; echo 'The venv module is needed (on Debian: apt-get install python3-venv)' >&2; exit 1; }
	@echo 'installing the locked versions into .venv ...'
	@$(BIN)/python $(PIP) install --constraint constraints.txt setuptools
	@$(BIN)/python $(PIP) install --constraint constraints.txt --no-build-isolation --editable '.[dev]'
	@touch $@

.PHONY: demo
demo: $(STAMP) ## judge the rulebook's own battles and print the verdicts
	@$(BIN)/python -m replay.demo

.PHONY: test
test: $(STAMP) ## all tests in random order, documentation included (ARGS='-k legion' narrows)
	$(PYTEST) -n $(WORKERS) $(TESTED) $(ARGS)

.PHONY: check
check: lint types floors test ## lint, types, floors and test: what must pass before a change lands

.PHONY: lint
lint: $(STAMP) ## ruff: style and format
	$(BIN)/ruff check
	$(BIN)/ruff format --check

.PHONY: types
types: $(STAMP) ## mypy, strict
	$(BIN)/mypy

.PHONY: floors
floors: $(STAMP) ## import-linter: who may import whom
	$(BIN)/lint-imports --no-cache --no-logo

.PHONY: stress
stress: $(STAMP) ## crash and fuzz rigs in full (`make test` runs a tenth of them)
	$(PYTEST) -n $(WORKERS) -m stress --full-stress --timeout=3600 tests $(ARGS)

.PHONY: mutants
mutants: $(STAMP) ## break each rule and the kernel on purpose: some test must fail each time (`make test` runs a tenth)
	$(PYTEST) -n $(WORKERS) --full-stress --timeout=3600 tests/core/test_mutations.py tests/games/dragonlords/test_mutations.py $(ARGS)

.PHONY: bench
bench: $(STAMP) ## measure speed, as shares of a floor taken in the same run
	$(BIN)/python tests/bench/run.py $(ARGS)

.PHONY: format
format: $(STAMP) ## let ruff fix and format what it can
	$(BIN)/ruff check --fix-only
	$(BIN)/ruff format

.PHONY: lock
lock: ## write constraints.txt anew from what pyproject.toml allows today
	@fresh=$$(mktemp -d) && trap 'rm -rf "$$fresh"' EXIT && $(PYTHON) -m venv "$$fresh/venv" \
	    && "$$fresh/venv/bin/python" $(PIP) install --upgrade setuptools \
	    && "$$fresh/venv/bin/python" $(PIP) install --no-build-isolation --editable '.[dev]' \
	    && { sed -n '/^#/p' constraints.txt && "$$fresh/venv/bin/pip" freeze --all --exclude-editable | grep -v '^pip=='; } \
	    > "$$fresh/lock" && cp "$$fresh/lock" constraints.txt

.PHONY: clean
clean: ## remove .venv, caches and build leftovers
	rm -rf .venv build dist *.egg-info .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find $(FLOORS) tests -name __pycache__ -type d -prune -exec rm -rf {} +
