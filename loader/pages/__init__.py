"""Declarative pages: bounded JSON that a host draws with its own components."""
