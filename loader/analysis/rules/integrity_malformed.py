"""A hash that cannot be compared: empty, not `sha256-` with standard base64 of 32 bytes, or of another algorithm.

It is refused with the reason, never ignored: a pin that protects nothing is worse than none.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP011",
    __doc__,
    found_by="integrity",
    shown_by_text=False,
    bad='integrity.json: {"plugin.js": "md5-XrY7u+Ae7tCTyyK7j1rNww=="}\n',
    good='integrity.json: {"plugin.js": "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="}\n',
)
