"""The file system says "these folders may have changed": a hint, never a truth.

``plan`` knows which folders to watch and what an event in them means (no event is trusted for more than a name),
``native`` chooses who asks the operating system (``inotify`` or ``rust``, both as ``opening`` says), ``scan`` is our
own look at time stamps for where no events come, ``eyes`` puts the three together behind ``watch``.
"""

from loader.watching.eyes import Log, watch
from loader.watching.opening import Handle, Opener, WatchUnavailable
from loader.watching.plan import Batch, Change

__all__ = ["Batch", "Change", "Handle", "Log", "Opener", "WatchUnavailable", "watch"]
