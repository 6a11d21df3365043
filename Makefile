# Every target sets up what it needs; nothing needs root. `make help` lists them.
PYTHON ?= python3
GAME ?=
ONLY ?=
THROWS ?= 20000
RIG ?=
KEY ?=
OFFLINE ?=
ARCH ?= aarch64
BOXES ?= 3.11 3.13
VENV := .venv
BIN := $(VENV)/bin

SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup setup-dev demo test test-all mutants check hooks bench bench-venue docs words models soak fuzz rigs lock wheelhouse release clean

help:  ## What can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

# Installs all that a lock file names, and says which package it is at and how many there are.
define install
	@total=$$(grep -c '^[a-z0-9].*==' $(1)); count=0; \
	  echo "Installing the $$total packages of $(1) into $(VENV), once. What is there already is kept."; \
	  $(BIN)/python -m pip install --disable-pip-version-check --progress-bar off --require-hashes --only-binary :all: -r $(1) | \
	  while read -r what name size; do case "$$what" in \
	    Collecting) count=$$((count + 1)); echo "  $$count of $$total: $${name%%==*}" ;; \
	    Processing) count=$$((count + 1)); echo "  $$count of $$total: $${name##*/}" ;; \
	    Downloading) [[ $$name == *.metadata ]] || echo "    fetching $$size" ;; \
	    Requirement | Ignoring) count=$$((count + 1)) ;; \
	    Installing) echo "  all $$total are here: unpacking them takes a moment" ;; \
	  esac; done
endef

setup: $(VENV)/.ready  ## Make .venv with the command .venv/bin/callbox

$(VENV)/.ready: requirements.lock pyproject.toml $(wildcard device/languages/*/LC_MESSAGES/callbox.po)
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || \
	  { echo "make: could not make $(VENV). On Debian or Raspberry Pi OS: sudo apt install python3-venv" >&2; exit 1; }
	$(call install,requirements.lock)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	$(BIN)/python -m device.languages.compile
	@touch $@

setup-dev: $(VENV)/.ready-dev

$(VENV)/.ready-dev: requirements-dev.lock $(VENV)/.ready
	$(call install,requirements-dev.lock)
	@touch $@

$(VENV)/.ready-demo: requirements-demo.lock $(VENV)/.ready
	$(call install,requirements-demo.lock)
	@touch $@

demo: $(VENV)/.ready-demo  ## Play on a simulated table (GAME=zoinx picks the game)
	$(BIN)/callbox demo $(GAME)

# What Python compiles is kept, whatever the shell says: compiling all tests takes each process five seconds.
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n auto --dist worksteal -o faulthandler_timeout=600

test: setup-dev  ## The tests, in some three minutes on two cores; one game in each browser
	$(PYTEST) --hypothesis-profile brief -m "not long"

test-all: setup-dev  ## All tests: whole games through pixels, all pages in browsers, calibration, wide searches
	$(PYTEST) --hypothesis-profile wide

mutants: setup-dev  ## Change rules, readers, journal and rights at random: does a test fail? (ONLY=engine/zonk); hours
	$(BIN)/python -m tests.mutate $(ONLY)

check: setup-dev  ## Style, types, the arrows between the rooms, scripts, no conflict markers
	@! git grep -nE '^(<{7}|>{7})( |$$)' -- ':!*.lock' || { echo "make: merge what these conflict markers hold" >&2; exit 1; }
	$(BIN)/ruff check --no-cache .
	$(BIN)/ruff format --no-cache --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/shellcheck -x systemd/install.sh systemd/release.sh systemd/machine.sh systemd/pack.sh systemd/first-boot.sh .ci/run

hooks: setup-dev  ## From now on git runs the same checks before each commit, and looks at its subject
	$(BIN)/pre-commit install

bench: setup-dev  ## All figures, some hours; `.venv/bin/python -m benchmarks --help` lists them one by one
	$(BIN)/python -m benchmarks all

bench-venue: setup-dev  ## Figures: how many tables the desk of a hall can hear, with a real broker (some minutes)
	$(BIN)/python -m benchmarks hall --tables 10,100

words: setup-dev  ## Gather all sentences into the catalogues of device/languages, for people to translate
	$(BIN)/python -m device.languages.gather

docs: setup-dev  ## Remake the tables and pictures of README and docs (ONLY=console: one picture); broken off, it goes on
	$(BIN)/python docs/tables.py
	$(BIN)/python -m benchmarks.pictures $(ONLY)

models: $(VENV)-models/.ready  ## Make the networks anew from drawn scenes (and ../shared/photos, where they are); hours
	$(VENV)-models/bin/python -m models.training.train

$(VENV)-models/.ready: requirements-models.lock
	@test -x $(VENV)-models/bin/python || $(PYTHON) -m venv $(VENV)-models
	$(VENV)-models/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: -r requirements-models.lock
	@touch $@

rigs: setup-dev  ## Virtual camera, virtual machine, installer, power cuts (../shared/rigs; minutes)
	$(BIN)/python -m pytest -m rigs $(RIG)

soak: setup-dev  ## Game after game through a whole box, THROWS of them (20000): memory, latency, an hour on an idle core
	@mkdir -p build/soak
	$(BIN)/python -m tests.soak --throws $(THROWS) --pool build/soak/throws --figures build/soak/figures.jsonl

lock:  ## Renew the lock files: names, versions and hashes only
	$(PYTHON) -m venv $(VENV)-lock
	$(VENV)-lock/bin/pip install --quiet uv
	$(VENV)-lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	  --no-annotate --no-emit-index-url pyproject.toml -o requirements.lock
	$(VENV)-lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	  --no-annotate --no-emit-index-url --extra demo -c requirements.lock pyproject.toml -o requirements-demo.lock
	$(VENV)-lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	  --no-annotate --no-emit-index-url --extra dev --extra demo -c requirements.lock pyproject.toml -o requirements-dev.lock
	$(VENV)-lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	  --no-annotate --no-emit-index-url --extra models -c requirements.lock pyproject.toml -o requirements-models.lock

# The marks in requirements.lock (which numpy for which Python) are those of the box and not of this machine, so uv reads
# them; the hashes stay the lock file's. A box has glibc 2.36 or later.
wheelhouse:  ## Fetch a box's packages into wheelhouse/, for boxes without a network (ARCH=x86_64: for a PC)
	$(PYTHON) -m venv $(VENV)-lock
	$(VENV)-lock/bin/pip install --quiet --disable-pip-version-check uv
	rm -rf wheelhouse && mkdir -p wheelhouse build
	for python in $(BOXES); do \
	  $(VENV)-lock/bin/uv pip compile --quiet --no-deps --python-version $$python --python-platform $(ARCH)-unknown-linux-gnu \
	    --generate-hashes --no-header --no-annotate --no-emit-index-url requirements.lock -o build/wheelhouse.txt && \
	  $(VENV)-lock/bin/pip download --quiet --disable-pip-version-check --no-deps --require-hashes --only-binary :all: \
	    --implementation cp --python-version $$python --abi cp$$(echo $$python | tr -d .) --abi abi3 --abi none \
	    $$(seq -f '--platform manylinux_2_%g_$(ARCH)' 17 36) -d wheelhouse -r build/wheelhouse.txt || exit 1; \
	done

release: $(if $(OFFLINE),wheelhouse)  ## Pack dist/callbox-VERSION.tar.gz; KEY=FILE signs it, OFFLINE=1 adds the wheelhouse
	systemd/pack.sh $(if $(KEY),--key $(KEY)) $(if $(OFFLINE),--wheelhouse wheelhouse)

fuzz: setup-dev  ## Thousands of damaged files and hostile messages (ONLY=journal: one target)
	$(BIN)/python -m tests.fuzz $(ONLY)

clean:  ## Remove what `make` made
	rm -rf $(VENV) $(VENV)-lock $(VENV)-models build dist wheelhouse *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
