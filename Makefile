# What one does with this repository. Needs Go and make; `make run` and `make test` install PostgreSQL and Redis, `make test` Chromium too.

.DEFAULT_GOAL := help
.PHONY: help run test demo lint generate generated bench clean install browser

GOLANGCI_LINT := go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0

help: ## list these commands
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' Makefile | expand -t 12

run: install ## serve the site on http://localhost:8080, with servers and data of its own under .data
	@trap 'stopped=yes' INT; LAB=$${LAB:-1} go run . || [ -n "$$stopped" ] # go run calls Ctrl-C a failure

test: browser generated lint ## everything that CI runs: generated code, vet, lint, tests with the race detector
	SCREENSHOTS=$(CURDIR)/artifacts/screenshots go test -race -count=1 -timeout 20m ./...

demo: install ## the stampede, then the fix; report in artifacts/demo/report.html
	go run ./loadtest -out artifacts/demo stampede sustained

lint: ## formatting, vet and golangci-lint
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then echo "run gofmt -w on:" $$unformatted; exit 1; fi
	go vet ./...
	$(GOLANGCI_LINT) run

generate: ## make the Go code of the templates
	go tool templ generate -log-level warn

generated:
	go tool templ generate -check -log-level error

bench: install ## what a cache hit costs, beside the bare libraries
	go test -run '^$$' -bench . -benchmem ./cache ./handlers

clean: ## remove the private servers' data and everything built
	@if [ -L .data/postgres ]; then rm -rf "$$(readlink .data/postgres)"; fi
	@if [ -L .data/loadtest/postgres ]; then rm -rf "$$(readlink .data/loadtest/postgres)"; fi
	rm -rf .data bin artifacts

install:
	@sh internal/servers/install.sh

browser:
	@sh internal/servers/install.sh browser
