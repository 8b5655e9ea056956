"""The plugin host of Hermes Desktop: watch, check, rehearse, serve."""

__version__ = "0.1.0"
