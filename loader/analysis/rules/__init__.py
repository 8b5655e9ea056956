"""One file for each rule; loader/analysis/registry.py lists them."""
