# What one does with a checkout; `make help` lists it.
#
# Everything is installed in .venv, in two layers: what the town needs to run (`play`, `bench`), and on top of it
# what its authors need (`test`, `check`). A layer's stamp is written last, so that whatever was interrupted is done
# again, and a changed pyproject.toml brings both up to date. Paths are relative: the checkout may lie anywhere.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:
.PHONY: help play test long check bench picture keys demo-save experiments studies reports hooks

# Byte code is kept: without it every start of the program, and each of the tests' many, compiles all of it anew.
unexport PYTHONDONTWRITEBYTECODE

PY := .venv/bin/python
PIP := $(PY) -m pip --disable-pip-version-check install --quiet
ARGS ?=

help:
	@echo 'make play       the town on your terminal (without a terminal: one day, told in text)'
	@echo 'make test       the tests; ARGS="-k words" chooses some, ARGS="-m slow" the heavy ones, ARGS=--cpu tells the dearest'
	@echo 'make long       what is longer still (weeks, many towns, every place of a matrix): before what it concerns is done'
	@echo 'make check      format, lint, types, who may import whom, lines a package, and its shape'
	@echo 'make hooks      the same checks before each commit of yours, from now on'
	@echo 'make bench      the benchmarks: speed, memory and size against their targets; ARGS="--only names" chooses some'
	@echo 'make picture    the picture of the README, from the running program'
	@echo 'make keys       the page of keys (docs/keys.md), from the table of actions'
	@echo 'make demo-save  the recorded day that ships (saves/larkspur-day.db), lived anew'
	@echo 'make experiments  the report of the experiment that ships (docs/experiments), run anew: an hour and a half of CPU'
	@echo 'make studies    the reports of the thirteen studies that ship (docs/experiments), run anew: an hour of CPU'
	@echo 'make reports    the index of these reports: which of them are of this engine'
	@echo ''
	@echo 'ARGS=... goes to the program behind each. PYTHON=... chooses the Python (3.11 or newer) of .venv.'

play: .venv/.play
	@$(PY) -m sandbox play $(ARGS)

bench: .venv/.play
	@$(PY) -m benchmarks $(ARGS)

picture: .venv/.play
	@$(PY) tests/readme_picture.py docs/town.svg

keys: .venv/.play
	@$(PY) tests/keys_page.py docs/keys.md

demo-save: .venv/.play
	@$(PY) -m sandbox run larkspur --seed 23 --save saves/larkspur-day.db --force

experiments: .venv/.play
	@$(PY) -m sandbox lab run sentipolis --jobs 2 --out build/sentipolis $(ARGS)
	@mkdir -p docs/experiments
	@cp build/sentipolis/report.md docs/experiments/sentipolis.md
	@cp build/sentipolis/*.svg docs/experiments/
	@$(PY) tests/shipped_reports.py docs/experiments

studies: .venv/.play
	@$(PIP) --editable '.[vectors]'  # a case of cascade has vectors of a sentence model
	@mkdir -p docs/experiments
	@for name in cascade polarization herd counterfactual friends \
	    policy-cross policy-misinformation policy-news policy-crowd policy-ablation \
	    glass-ceiling glass-rumour glass-beta; do \
	  $(PY) -m sandbox lab run $$name --jobs 2 --out build/$$name $(ARGS) || exit; \
	  cp build/$$name/report.md docs/experiments/$$name.md; cp build/$$name/*.svg docs/experiments/; \
	done
	@$(PY) tests/shipped_reports.py docs/experiments

reports: .venv/.play
	@$(PY) tests/shipped_reports.py docs/experiments

test: .venv/.dev
	$(PY) -m pytest -n auto --dist loadfile $(ARGS)

long: .venv/.dev
	$(PY) -m pytest -n auto --dist loadfile -m long $(ARGS)

check: .venv/.dev
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy
	$(PY) -c 'from importlinter.cli import lint_imports_command as main; main()'
	$(PY) tests/budget.py tree

hooks: .venv/.dev
	@$(PY) -m pre_commit install

# An absent interpreter, or a link to one that is gone, makes the first layer anew.
$(PY): ;

.venv/.play: pyproject.toml $(PY)
	@$(PY) -m pip --version >/dev/null 2>&1 || { $(make-venv); }
	@echo 'Installing what the town needs to run: about 50 seconds and 700 MB, the first time.'
	@$(PIP) --editable .
	@touch $@

.venv/.dev: pyproject.toml .venv/.play
	@echo 'Installing what its tests and checks need: about 15 seconds and 170 MB more, the first time.'
	@$(PIP) --editable '.[dev]'
	@touch $@

# Takes the first Python that is new enough and can make a .venv; says what is missing if there is none.
define make-venv
if [ -n "$$PYTHON" ]; then set -- "$$PYTHON"; else set -- python3.13 python3.12 python3.11 python3 python; fi; \
found=; lacking=; \
for p in "$$@"; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 || continue; \
	if "$$p" -c 'import ensurepip, venv' >/dev/null 2>&1; then found=$$p; break; fi; \
	lacking=$${lacking:-$$p}; \
done; \
if [ -z "$$found" ] && [ -n "$$lacking" ]; then \
	package=$$("$$lacking" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])'); \
	echo "$$lacking cannot make a virtual environment: its venv package is missing." >&2; \
	echo "On Debian and Ubuntu: sudo apt install $$package; then run make again." >&2; \
	exit 1; \
elif [ -z "$$found" ]; then \
	echo "No Python 3.11 or newer found (tried: $$*)." >&2; \
	echo "Install one, or name it: make PYTHON=/path/to/python3 ..." >&2; \
	exit 1; \
fi; \
echo "Making .venv with $$("$$found" --version) ($$found)."; \
"$$found" -m venv --clear .venv
endef
