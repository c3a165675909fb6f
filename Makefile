# Fieldpost. `make help` lists what can be made; every target does its own set-up.
# Overridable: PYTHON=/path/to/python3.11  PORT=8765  ARGS="-k movement"  WORKERS=4

PORT ?=
ARGS ?=
# One more than there are cores: some tests wait for a disk or a process that they killed.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)

PY := .venv/bin/python
GOAL := $(firstword $(MAKECMDGOALS) help)
SETUP := MAKE_GOAL=$(GOAL) PYTHON="$(PYTHON)" sh .ci/setup
PYTEST = $(PY) -m pytest -n $(WORKERS) --maxprocesses 8 --dist worksteal

export PYRIGHT_PYTHON_IGNORE_WARNINGS = 1
export PYTHONUNBUFFERED = 1

.DEFAULT_GOAL := help
.PHONY: help play test lint bench soak goldens fixtures constraints clean

help: ## list the targets
	@awk -F':.*## ' '/^[a-z]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' Makefile

play: ## play at a local table in the browser, or on Discord when DISCORD_TOKEN is set (PORT=8765)
	@$(SETUP) local
	@$(PY) -m bot $(if $(PORT),--port $(PORT)) $(ARGS)

test: lint ## check the style and the types, then run all tests (ARGS="-k movement")
	@$(PYTEST) $(ARGS)

lint: ## check the style and the types
	@$(SETUP) test
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m pyright

bench: ## measure engine, pictures, store and click-to-answer; writes build/bench.json
	@$(SETUP) test
	@$(PY) -m tests.bench $(ARGS)

soak: ## run all tests with the long ones: thousands of whole games
	@$(SETUP) test
	@SOAK=1 $(PYTEST) --soak $(ARGS)

goldens: ## draw the golden pictures of tests/renderer anew; look at them before committing
	@$(SETUP) test
	@$(PY) -m pytest tests/renderer --update-goldens $(ARGS)

fixtures: ## record the whole games of tests/fixtures anew where the rules have changed (ARGS="--anew": all)
	@$(SETUP) test
	@$(PY) -m tests.record_fixtures $(ARGS)

constraints: ## resolve all dependencies afresh and pin them in constraints.txt
	@MAKE_GOAL=$(GOAL) PYTHON="$(PYTHON)" sh .ci/constraints

clean: ## remove what make made: .venv, build, caches; saved games stay
	@rm -rf .venv build .pytest_cache .ruff_cache .hypothesis *.egg-info
	@find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf {} +
