"""Backends of plugins (``dashboard/plugin_api.py``): gate, worker processes, and the way of a request to them."""
