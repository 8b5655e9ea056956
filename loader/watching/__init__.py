"""The file system says "these folders may have changed": a hint, never a truth.

``plan`` knows which folders to watch and what an event in them means (no event is trusted for more than a name),
``native`` is the one place that talks to the operating system, ``scan`` is our own look at time stamps for where no
events come, ``eyes`` puts the three together behind ``watch``.
"""

from loader.watching.eyes import Log, watch
from loader.watching.native import Batch, Change, Handle, Opener, WatchUnavailable

__all__ = ["Batch", "Change", "Handle", "Log", "Opener", "WatchUnavailable", "watch"]
