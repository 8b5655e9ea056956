"""Attacks on the real service, each with what stopped it: ``python -m bench.attack``."""
