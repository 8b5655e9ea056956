"""Random use of the real service, replayable from a seed: ``python -m bench.soak``."""
