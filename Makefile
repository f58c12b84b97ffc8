# Everything that is needed is installed into .venv; only Python >= 3.11 and make must
# be there. uv is used where it is on the PATH, pip otherwise.

SUITABLE = import sys, venv; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python; do \
	$$p -c '$(SUITABLE)' >/dev/null 2>&1 && { echo $$p; break; }; done)
VENV ?= .venv
BIN := $(VENV)/bin
PIN := constraints.txt
UV := $(shell command -v uv 2>/dev/null)
OLDEST := build/oldest
DIST := build/dist-tools
# One more than two processors have: many tests wait for other processes.
JOBS ?= 3

ifdef UV
INSTALL = uv pip install --quiet --python $(BIN)/python --constraint $(PIN)
else
INSTALL = $(BIN)/python -m pip install -qq --disable-pip-version-check --constraint $(PIN)
endif

.DEFAULT_GOAL := help
.PHONY: help demo test lint format warm test-main test-nojit test-bounds test-ray test-slurm test-oldest docs dist bench soak clean

help: ## Show this list.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(VENV)/.demo ## Solve a 100-city tour with two objectives and draw the trade-offs.
	$(BIN)/divlearn solve bitsp-100 --instance 0 --budget 5_000 --seed 0 --out runs/demo

# Two things at a time, whichever is ready: none of them fills two processors by itself.
test: $(VENV)/.test ## Run everything that must be green.
	$(MAKE) -j2 lint test-nojit test-main test-bounds

lint: $(VENV)/.test ## Check style, types and the direction of imports.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.test ## Put the style right.
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

warm: $(VENV)/.test ## Compile all kernels, which two test processes would do twice.
	$(BIN)/divlearn warm

# Tests of single kernels compile them one by one: test-bounds does so, once is enough.
test-main: warm ## Run all tests but those of single kernels.
	$(BIN)/python -m pytest -n $(JOBS) --durations=15 --ignore=tests/kernels

test-nojit: $(VENV)/.test ## Run the tests of kernels as plain Python.
	NUMBA_DISABLE_JIT=1 NUMBA_CACHE_DIR=$(CURDIR)/.numba_cache/nojit $(BIN)/python -m pytest tests/kernels

# With a cache of its own: numba would run the unchecked kernels of another cache.
test-bounds: $(VENV)/.test ## Run the tests of kernels with array bounds checked.
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(CURDIR)/.numba_cache/bounds $(BIN)/python -m pytest tests/kernels

# Ray is as large as all else together, so only this target installs it.
test-ray: $(VENV)/.test ## Install Ray and dask-jobqueue, and run the tests that need them.
	$(INSTALL) --no-build-isolation --editable '.[ray,jobqueue]'
	$(BIN)/python -m pytest -rs tests/workers/test_ray_cluster.py tests/workers/test_queues.py \
		tests/workers/test_cut.py

# A Slurm of one node, which these tests start and end; where it is missing, they say so.
test-slurm: $(VENV)/.test ## Run studies on a real Slurm: apt-get install slurm-wlm munge
	$(INSTALL) --no-build-isolation --editable '.[jobqueue]'
	$(BIN)/python -m pytest -rs tests/workers/test_slurm.py tests/workers/test_queues.py

# Not part of test: it needs an environment, and kernels, of its own.
OLD_TESTS := tests/cli/test_cli_text.py tests/spaces tests/metrics tests/plot tests/test_solver.py \
	tests/test_result_table.py tests/test_result_file.py
test-oldest: $(OLDEST)/.ready ## Run some tests with the oldest versions that are allowed.
	NUMBA_CACHE_DIR=$(CURDIR)/.numba_cache/oldest $(OLDEST)/bin/python -m pytest -q $(OLD_TESTS)

docs: $(VENV)/.test ## Build the documentation site into build/docs; warnings are errors.
	$(BIN)/python tools/docs.py

dist: $(DIST)/.ready ## Build sources and wheels into dist/, checked and tried.
	$(DIST)/bin/python tools/dist.py

bench: $(VENV)/.test ## Measure speed; for quality see divlearn bench.
	$(BIN)/python benchmarks/speed.py

soak: warm ## Kill, hang and fill studies at full length, and print what they bear.
	$(BIN)/python -m tests.soak

clean: ## Remove the environment, caches and results of runs.
	rm -rf $(VENV) .numba_cache .mypy_cache .pytest_cache .ruff_cache .import_linter_cache \
		.hypothesis build dist runs
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.created:
	@test -n "$(PYTHON)" || { echo "divlearn needs Python 3.11 or newer, and none was \
	found; install one, or name it: make PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -c '$(SUITABLE)' || { echo "divlearn needs Python 3.11 or newer, but \
	$(PYTHON) is $$($(PYTHON) --version 2>&1); name another one: make PYTHON=python3.12"; exit 1; }
ifdef UV
	uv venv --quiet --allow-existing --python $(PYTHON) $(VENV)
else
	$(PYTHON) -m venv $(VENV)
endif
	@touch $@

# The build backend is pinned too, so nothing is fetched for an isolated build.
$(VENV)/.backend: $(VENV)/.created $(PIN)
	@echo "installing divlearn and what it needs into $(VENV) (about a minute) ..."
	$(INSTALL) hatchling editables
	@touch $@

$(VENV)/.demo: $(VENV)/.backend pyproject.toml
	$(INSTALL) --no-build-isolation --editable '.[plot]'
	@touch $@

$(VENV)/.test: $(VENV)/.backend pyproject.toml
	$(INSTALL) --no-build-isolation --editable '.[test]'
	@touch $@ $(VENV)/.demo

# Environments of their own: nothing but what is needed is in them.
$(DIST)/.ready: $(VENV)/.created pyproject.toml $(PIN)
	$(BIN)/python -m venv --clear $(DIST)
	$(DIST)/bin/python -m pip install -qq --disable-pip-version-check --constraint $(PIN) hatchling
	$(DIST)/bin/python -m pip install -qq --disable-pip-version-check --constraint $(PIN) \
		--no-build-isolation '.[dist]'
	@touch $@

$(OLDEST)/.ready: $(VENV)/.created pyproject.toml constraints-oldest.txt
	$(BIN)/python -m venv --clear $(OLDEST)
	$(OLDEST)/bin/python -m pip install -qq --disable-pip-version-check hatchling editables
	$(OLDEST)/bin/python -m pip install -qq --disable-pip-version-check \
		--constraint constraints-oldest.txt --no-build-isolation \
		--editable '.[plot,parquet,web]' hypothesis pytest pytest-timeout pytest-xdist scipy
	@touch $@
