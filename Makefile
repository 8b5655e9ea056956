# Two commands do everything: `make run` and `make test`. Both need Python 3.11+, make and a package index.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
DEMO_HOME ?= .demo-home

.DEFAULT_GOAL := help
.PHONY: help run test lint format unit wheel peers lock docs clean bench soak attack proof coverage mutation mutation-js

help:  ## what there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

# ---- environments -----------------------------------------------------------------------------

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run-ready: requirements-run.lock pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install -q --disable-pip-version-check -r requirements-run.lock
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps -e .
	@touch $@

$(VENV)/.dev-ready: requirements.lock pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install -q --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps -e .
	@touch $@ $(VENV)/.run-ready

tests/peers/node_modules/.ready: tests/peers/package-lock.json $(VENV)/.dev-ready
	$(BIN)/python tools/npm.py ci --prefix tests/peers --no-audit --no-fund --loglevel=error
	@touch $@

bench/node_modules/.ready: bench/package-lock.json $(VENV)/.dev-ready
	$(BIN)/python tools/npm.py ci --prefix bench --no-audit --no-fund --loglevel=error
	@touch $@

# ---- the two commands -------------------------------------------------------------------------

run: $(VENV)/.run-ready  ## a demo home with the example plugins, the service on it, the workbench opened
	$(BIN)/python tools/demo_home.py $(DEMO_HOME)
	env -u HERMES_HOME $(BIN)/hermes-desktop serve --hermes-home $(DEMO_HOME) --open

test: lint unit wheel  ## everything that CI runs

# ---- parts of them ----------------------------------------------------------------------------

lint: $(VENV)/.dev-ready  ## ruff and strict mypy
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

unit: $(VENV)/.dev-ready tests/peers/node_modules/.ready  ## the test suite
	$(BIN)/python -m pytest -q -n 2 $(PYTEST_ARGS)

wheel: $(VENV)/.dev-ready tests/peers/node_modules/.ready  ## what a stranger installs: the wheel, tested away from the tree
	$(BIN)/python tools/wheel_test.py

peers: tests/peers/node_modules/.ready  ## the npm packages that tests compare with

bench: bench/node_modules/.ready  ## speed, memory and growth beside peers (QUICK=1: a few minutes)
	$(BIN)/python -m bench $(if $(QUICK),--quick)
	$(BIN)/python -m bench.rehearsal
	$(BIN)/python -m bench.policy_calls
	$(BIN)/python -m bench.backend_proxy $(if $(QUICK),--quick)

soak: $(VENV)/.dev-ready  ## faults, then random use of the real service for SECONDS (600), from SEED
	$(BIN)/python -m bench.soak --seconds $(or $(SECONDS),600) $(if $(SECONDS),--saves 0) $(if $(SEED),--seed $(SEED))

attack: $(VENV)/.dev-ready  ## attacks on the real service, each with what stopped it
	$(BIN)/python -m bench.attack

coverage: $(VENV)/.dev-ready tests/peers/node_modules/.ready  ## branch coverage of loader/, workers and services included (FOLDERS: only these tests)
	$(BIN)/python -m coverage erase
	-$(BIN)/python -m coverage run -m pytest -q $(if $(FOLDERS),$(FOLDERS),-n 2)
	# A process that was killed in the midst of writing leaves what cannot be read.
	-$(BIN)/python -m coverage combine -q
	$(BIN)/python -m coverage report --skip-covered

mutation: $(VENV)/.dev-ready  ## mutants of policy and integrity, and how many no test notices
	$(BIN)/python -m tools.mutants names
	rm -rf mutants
	$(BIN)/python -m mutmut run --max-children 2
	$(BIN)/python -m tools.mutants

tools/stryker/node_modules/.ready: tools/stryker/package-lock.json | $(VENV)/.dev-ready
	$(BIN)/python tools/npm.py ci --prefix tools/stryker --no-audit --no-fund --loglevel=error
	@touch $@

mutation-js: tools/stryker/node_modules/.ready  ## mutants of host-policy.js and its parts, with StrykerJS
	$(BIN)/python tools/npm.py exec --prefix tools/stryker -- stryker run tools/stryker/stryker.config.json

proof: $(VENV)/.dev-ready  ## docs/proof.md from the last results of the three
	$(BIN)/python -m bench.proof

format: $(VENV)/.dev-ready  ## format and mend what ruff can
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(VENV)/.dev-ready  ## write the pages that are made from the code
	$(BIN)/python -m loader.cli.rules_docs docs/rules
	$(BIN)/python -m loader.cli.reference > docs/cli.md
	$(BIN)/python -m loader.cli.formats_docs docs/formats.md
	$(BIN)/python -m loader.server.openapi > docs/openapi.json
	$(BIN)/python -m tools.mistakes

lock: $(VENV)/.dev-ready  ## renew the two lock files after a change in pyproject.toml
	$(BIN)/uv pip compile -q --universal --no-emit-index-url --custom-compile-command "make lock" pyproject.toml -o requirements-run.lock
	$(BIN)/uv pip compile -q --universal --no-emit-index-url --custom-compile-command "make lock" --extra dev pyproject.toml -o requirements.lock

clean:  ## remove what the other targets made
	rm -rf $(VENV) .venv-wheel mutants .coverage .coverage.* tests/peers/node_modules bench/node_modules bench/results $(DEMO_HOME) dist build
