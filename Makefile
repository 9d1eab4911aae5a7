# Two commands: `make demo` and `make test`. Both set up all they need in .venv.
# Another Python, with the newest releases of everything: make demo PYTHON=python3.13 VENV=.venv-3.13 CONSTRAINTS=

PYTHON ?= python3
VENV ?= .venv
CONSTRAINTS ?= constraints.txt
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check $(CONSTRAINTS:%=--constraint %)
# pip compiles what it installs, but not what it installs in place.
COMPILE := $(BIN)/python -m compileall -q src

# Where a machine writes no bytecode, two processes and every later run would compile all tests anew.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help demo test thorough quick check scripts format bench docs dist lowest numbers pythons system clean

help:
	@echo "make demo    install, then the whole way from text to a report"
	@echo "make test    install all, then lint, types, layers, tests and the smallest benchmarks"
	@echo "make thorough the long tests that make test leaves out, and properties on more examples"
	@echo "make quick   the quick tests, which need nothing but Python"
	@echo "make check   lint, types and layers alone, and the scripts of the pages"
	@echo "make scripts the scripts of the pages alone: format, lint, types and their tests"
	@echo "make format  let ruff and biome put the code in order"
	@echo "make bench   speed, memory and coverage as ratios against peers"
	@echo "make docs    build the documentation site"
	@echo "make dist    build sdist and wheel, and try the wheel alone on the oldest and the newest Python here"
	@echo "make lowest  the tests on the lowest versions that pyproject.toml allows"
	@echo "make numbers what prints numbers, as another processor computes them"
	@echo "make pythons the demo and the quick tests on the oldest and the newest Python here, with and without constraints.txt"
	@echo "make clean   remove what was built and cached; environments and concurrence-demo stay"

$(BIN)/python:
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

$(VENV)/.base: pyproject.toml $(CONSTRAINTS) | $(BIN)/python
	$(INSTALL) --editable '.[web]'
	$(COMPILE)
	@touch $@

# What the quick tests import: no browser, database server, Java or notebook.
$(VENV)/.quick: pyproject.toml $(CONSTRAINTS) | $(BIN)/python
	$(INSTALL) --editable '.[quick]'
	$(COMPILE)
	@touch $@ $(VENV)/.base

$(VENV)/.test: pyproject.toml $(CONSTRAINTS) | $(BIN)/python
	$(INSTALL) --editable '.[test,docs]'
	$(COMPILE)
	@touch $@ $(VENV)/.base $(VENV)/.quick

$(VENV)/.bench: $(VENV)/.test
	$(INSTALL) --editable '.[peers]'
	@touch $@

demo: $(VENV)/.base
	$(BIN)/concur demo
	@echo "Here concur is $(BIN)/concur; after '. $(BIN)/activate' plain concur does."

system:
	@sh .ci/system-packages

# One process starts with the browser, the other in the middle; who is done takes work from the other.
PARALLEL := -n 2 --dist worksteal
# Two processes, each with one thread for matrices: more would wait for each other.
test thorough: export OPENBLAS_NUM_THREADS := 1

test: system $(VENV)/.test check
	$(BIN)/python -m pytest $(PARALLEL) -m 'not thorough'
	$(BIN)/python -m benchmarks --quick

# What takes long and is seldom broken, and the properties on more examples.
thorough: system $(VENV)/.test
	$(BIN)/python -m pytest $(PARALLEL) -m thorough --hypothesis-profile=thorough tests
	$(BIN)/python -m pytest $(PARALLEL) --hypothesis-profile=thorough tests/properties

# What is quick and needs no other program. One process: collecting costs more than a second one would gain.
QUICK := not slow and not browser and not postgres and not spark and not latex and not nginx and not openssl

quick: $(VENV)/.quick
	$(BIN)/python -m pytest -q -m '$(QUICK)' --hypothesis-profile=quick tests/unit tests/published

check: $(VENV)/.test scripts
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

scripts:
	@sh .ci/scripts check

format: $(VENV)/.test
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	@sh .ci/scripts format

bench: $(VENV)/.bench
	$(BIN)/python -m benchmarks

docs: $(VENV)/.test
	$(BIN)/sphinx-build -W --keep-going -a -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

dist: $(VENV)/.test
	rm -rf dist
	$(BIN)/python -m build --no-isolation
	$(BIN)/python -m twine check --strict dist/*
	$(BIN)/python .ci/try_wheel.py dist/*.whl

# Old versions warn of their own future, so warnings are shown here instead of being errors.
lowest: system $(VENV)/.test
	$(INSTALL) uv
	$(BIN)/uv venv --clear --quiet .venv-lowest
	VIRTUAL_ENV=.venv-lowest $(BIN)/uv pip install --quiet --resolution lowest-direct --editable '.[test,docs]'
	.venv-lowest/bin/python -m pytest $(PARALLEL) -o filterwarnings=default

# What prints numbers, under settings that change the last bits: numpy without wide instructions, the C library and the
# matrix products without fused multiplication, loops compiled for any processor, and functions moved by one bit
# (tests/support/other_processor.py). A processor that lacks what is switched off ignores it; so do others than x86.
NUMBERS := src README.md docs tests/published tests/unit/docs tests/unit/measures tests/unit/kernels \
	tests/properties/test_last_bit.py tests/properties/test_every_measure.py
OTHER := OTHER_PROCESSOR=1 NUMBA_CPU_NAME=generic
ifneq ($(filter x86_64 amd64,$(shell uname -m)),)
OTHER += NPY_DISABLE_CPU_FEATURES="X86_V4 X86_V3" OPENBLAS_CORETYPE=Nehalem \
	GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4
endif

numbers: $(VENV)/.test
	$(OTHER) $(BIN)/python -m pytest $(PARALLEL) $(NUMBERS)

# The demo and the quick tests on the oldest and the newest Python of this machine, with and without constraints.txt.
pythons:
	$(PYTHON) .ci/other_pythons.py

clean:
	rm -rf build dist docs/_build docs/_generated .pytest_cache .mypy_cache .ruff_cache \
		.hypothesis .import_linter_cache node_modules spark-warehouse metastore_db derby.log
	find src tests docs benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
