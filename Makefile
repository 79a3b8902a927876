# `make help` lists the targets. Each one is a command of the package tools/, which needs Python alone:
# without make, `python -m tools test` is `make test`. ARGS="…" passes further arguments on.

.DEFAULT_GOAL := help
TARGETS := help setup serve book pdf offline test lint notebooks lab bench corpus sentences worksheet tally lock clean

serve:     OPTIONS = $(if $(PORT),--port $(PORT))
test:      OPTIONS = $(if $(ENGINES),--engines $(ENGINES)) $(if $(ALL),--all)
lint:      OPTIONS = $(if $(FIX),--fix)
notebooks: OPTIONS = $(if $(CHECK),--check)
sentences: OPTIONS = $(if $(PAGE),--page $(PAGE))
worksheet: OPTIONS = $(if $(SEED),--seed $(SEED)) $(if $(CHAPTER),--chapter $(CHAPTER)) $(if $(COUNT),--count $(COUNT))
tally:     OPTIONS = $(if $(CSV),--csv '$(subst ','\'',$(CSV))') $(FILES)
lock:      OPTIONS = $(if $(UPGRADE),--upgrade)
clean:     OPTIONS = $(if $(ALL),--all)

.PHONY: $(TARGETS)
.NOTPARALLEL:
$(TARGETS):
	@python=$$(sh tools/python.sh) && exec "$$python" -m tools $@ $(OPTIONS) $(ARGS)
