# make setup   a .venv in the checkout with rowtime in it         make test    Java and Python tests
# make demo    the main job on a folder of order files            make bench   measurements against the opponents
# make wheel   dist/rowtime-*.whl, jars included                  make lint    ruff, types, Error Prone
# make check   what is quick: lint, Java tests with fewer random cases, quick unit tests without Spark
# make errorprone  Error Prone over the Java code
# make campaign    the long forms of the tests: kills, composed queries, fuzzing; takes hours
# Every target makes what it depends on, and nothing twice: Gradle is not even started while its inputs are the same.

.DEFAULT_GOAL := setup
.DELETE_ON_ERROR:

VENV := .venv
BIN := $(VENV)/bin
JAVA_INPUTS := $(wildcard build.gradle settings.gradle gradle.properties) $(shell find java python cli -type f -not -name '*.pyc' 2>/dev/null)

.PHONY: setup jars demo test check check-java check-python test-java archives bench wheel lint style errorprone campaign clean

setup: $(VENV)/.installed jars

# The folder and its pip, without rowtime in it yet: enough to run the tools.
$(VENV)/bin/python:
	@python=$$(tools/python.sh) && "$$python" -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --upgrade pip

jars: | $(VENV)/bin/python
	@$(BIN)/python tools/gradle.py assemble

$(VENV)/.installed: pyproject.toml hatch_build.py | $(VENV)/bin/python jars
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	@touch $@

demo: setup
	$(BIN)/rowtime demo

# The Java tests use one core for the most part. On a slow machine, what repeats other tests with other data is left out,
# and the summary says so; `pytest --thorough` has all of it.
test: setup
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target test-java archives
	$(BIN)/python -m pytest --numprocesses 2 --dist loadscope --no-loadscope-reorder --durations 20 --budget 45

check: setup
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target check-java check-python

check-java:
	@$(BIN)/python tools/gradle.py check

check-python: style
	$(BIN)/python -m pytest --numprocesses 2 --dist loadscope --no-loadscope-reorder -m 'not spark and not slow' tests/unit

test-java: $(VENV)/.installed
	@$(BIN)/python tools/gradle.py test

# Class-data archives, with which the JVMs that tests start are there in half the time.
archives: setup
	@for jvm in planner spark; do \
		XDG_CACHE_HOME=build/cache $(BIN)/python -m rowtime.training $$jvm || echo "Tests start the JVM of the $$jvm without an archive" >&2; \
	done

bench: setup $(VENV)/.bench
	$(BIN)/python tests/bench

$(VENV)/.bench: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --editable '.[bench]'
	@touch $@

wheel: dist/.built

dist/.built: pyproject.toml hatch_build.py README.md LICENSE $(JAVA_INPUTS) | $(VENV)/bin/python
	rm -rf dist
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist .
	@touch $@
	@ls -l dist/*.whl

lint: setup
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target style errorprone

# Python alone.
style: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Error Prone over the Java code.
errorprone: setup
	@$(BIN)/python tools/gradle.py errorProne

# docs/reliability.md has the figures of the last one.
campaign: setup
	$(BIN)/python -m pytest tests/attack/test_chain.py tests/attack/test_killed_pumps.py --kills 100
	$(BIN)/python -m pytest tests/attack --fuzz 60 --ignore tests/attack/test_chain.py --ignore tests/attack/test_killed_pumps.py
	$(BIN)/python -m pytest tests/kafka/test_killed_takeovers.py --kills 50
	$(BIN)/python tests/generated --composed

clean:
	rm -rf build dist $(VENV) .gradle .pytest_cache .ruff_cache .mypy_cache .hypothesis
