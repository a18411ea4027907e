# Everything a checkout needs, from a machine with Python 3.11 or newer, make and a network.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

VENV := .venv
BIN := $(VENV)/bin
STAMPS := $(VENV)/.stamps
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# The lock files carry a hash for every file that may be installed; nothing else is let in.
LOCKED := $(PIP_INSTALL) --require-hashes --requirement
# Both write the module `apsw`: the older of them goes first, and the newer with it, to be whole again.
SWAP_APSW = if $(1) -m pip show --quiet apsw 2>/dev/null; then \
	$(1) -m pip uninstall --quiet --yes apsw apsw-sqlite3mc 2>/dev/null; fi
# Built with the locked hatchling, not with one fetched at the moment.
ITSELF := $(PIP_INSTALL) --no-deps --no-build-isolation --editable . && $(BIN)/python -m compileall -q src
EXTRAS := --extra llm --extra server --extra web --extra postgres
# What learns is no part of what runs: JAX has an environment of its own.
READER := .venv-reader
# What takes longest begins first, one more at once than there are processors: some wait for time.
TESTS := browser integration/test_[a-m]* integration/test_[n-z]* property unit
TESTS += $(filter-out integration $(TESTS) data __pycache__,$(notdir $(patsubst %/,%,$(wildcard tests/*/))))
LANES := 3
LOCK := uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock"

.PHONY: help
help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' Makefile | sed -E 's/:[^#]*## /\t/' | sort | \
		while IFS="$$(printf '\t')" read -r target meaning; do \
			printf '  make %-12s %s\n' "$$target" "$$meaning"; done

.PHONY: install
install: $(STAMPS)/runtime ## Set up .venv with what chatmem needs to run

.PHONY: run
run: install ## Set up and start the server on http://127.0.0.1:8600
	$(BIN)/chatmem serve

.PHONY: test
test: $(STAMPS)/dev $(STAMPS)/browser ## Set up and run all tests
	@printf '%s\n' $(TESTS) | xargs -P $(LANES) -I {} sh -c \
		'echo "tests/{} ..."; PYTEST_DEBUG_TEMPROOT=$$(mktemp -d); export PYTEST_DEBUG_TEMPROOT; \
		found=$$($(BIN)/python -m pytest tests/{} 2>&1); failed=$$?; rm -rf "$$PYTEST_DEBUG_TEMPROOT"; \
		printf "== tests/{}\n%s\n" "$$found"; exit $$failed'

.PHONY: fuzz
fuzz: $(STAMPS)/dev ## Run the property tests with examples that are new each time, and more of them
	HYPOTHESIS_PROFILE=fuzz $(BIN)/python -m pytest tests/property tests/unit/text tests/unit/retrieval \
		tests/unit/storage tests/integration/test_openapi.py tests/integration/test_bad_input.py

.PHONY: check
check: $(STAMPS)/dev ## Check format, lint, types, import rules and generated docs
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python docs/pages.py --check

.PHONY: bench
bench: $(STAMPS)/dev ## Measure speed, size and load, one server and several, and kill some
	@missed=; \
	for one in "chatmem bench" "python bench/serve.py" "python bench/first_token.py" \
			"python bench/mcp_conformance.py" "python bench/kill.py --rounds 200" \
			"python bench/many_servers.py" "python bench/many_servers.py --kill --restart" \
			"python bench/postgres_scale.py"; do \
		echo "== $$one"; \
		$(BIN)/$$one || missed="$$missed, $$one"; \
	done; \
	if [ -n "$$missed" ]; then echo "A target is missed:$${missed#,}" >&2; exit 1; fi

.PHONY: mutations
mutations: $(STAMPS)/dev $(STAMPS)/browser ## Break each scenario on purpose: its tests must notice
	$(BIN)/python bench/mutations.py

.PHONY: bench-llama
bench-llama: $(STAMPS)/dev ## Chat through the server, and extract, with real local models (builds one: minutes)
	$(BIN)/python bench/llama.py
	$(BIN)/python bench/llama_extraction.py

.PHONY: reader
reader: $(STAMPS)/runtime $(STAMPS)/reader ## Learn to read messages anew from training/ (about 35 minutes)
	$(READER)/bin/python training/learn.py

.PHONY: docs
docs: $(STAMPS)/dev ## Write the generated pages in docs/ anew
	$(BIN)/python docs/pages.py

.PHONY: lock
lock: ## Lock the newest dependencies that pyproject.toml allows (needs uv)
	$(LOCK) --upgrade $(EXTRAS) --group build --group dev --output-file requirements/dev.txt
	$(LOCK) --upgrade $(EXTRAS) --group build --constraints requirements/dev.txt \
		--output-file requirements/runtime.txt
	$(LOCK) --upgrade --group build --group reader --constraints requirements/dev.txt \
		--output-file requirements/reader.txt

.PHONY: clean
clean: ## Remove .venv and what tools left behind; data/ stays
	rm -rf $(VENV) $(READER) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp is younger than what it stands for, so that a second run has nothing to do.
$(STAMPS)/venv:
	@set -e; \
	for python in $(PYTHON) python3.11 python3.12 python3.13 python3.14 python3 python; do \
		"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
		echo "Making $(VENV) with $$python"; \
		"$$python" -m venv $(VENV) || { \
			echo "$$python cannot make a virtual environment:" \
				"install its venv module (on Debian and Ubuntu: apt install python3-venv)." >&2; \
			exit 1; }; \
		mkdir -p $(STAMPS); touch $@; exit 0; \
	done; \
	echo "chatmem needs Python 3.11 or newer, and found none (python3 is: $$(python3 --version 2>&1))." \
		"Install one, or say where it is: make PYTHON=/path/to/python3.11" >&2; \
	exit 1

$(STAMPS)/runtime: $(STAMPS)/venv requirements/runtime.txt pyproject.toml
	@echo "Installing from requirements/runtime.txt"
	@$(call SWAP_APSW,$(BIN)/python)
	@$(LOCKED) requirements/runtime.txt
	@$(ITSELF)
	@touch $@

# What could not be had is named, and looked for again the next time.
$(STAMPS)/browser: $(STAMPS)/venv tests/browser/install.sh
	@if sh tests/browser/install.sh $(VENV)/share/axe-core; then touch $@; fi

$(STAMPS)/reader: $(STAMPS)/venv requirements/reader.txt
	@echo "Installing from requirements/reader.txt into $(READER)"
	@$(BIN)/python -m venv $(READER)
	@$(call SWAP_APSW,$(READER)/bin/python)
	@$(READER)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes \
		--requirement requirements/reader.txt
	@$(READER)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps \
		--no-build-isolation --editable .
	@touch $@

# The second file holds all of the first, at the same versions.
$(STAMPS)/dev: $(STAMPS)/venv requirements/dev.txt pyproject.toml
	@echo "Installing from requirements/dev.txt"
	@$(call SWAP_APSW,$(BIN)/python)
	@$(LOCKED) requirements/dev.txt
	@$(ITSELF)
	@touch $@ $(STAMPS)/runtime
