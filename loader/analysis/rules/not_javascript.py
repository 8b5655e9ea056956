"""The file is no JavaScript: an HTML page, JSON, or empty.

A failed download leaves a server's error page behind, a wrong file name a manifest, an interrupted save nothing at
all.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP104",
    __doc__,
    found_by="syntax",
    bad="""<!DOCTYPE html>
<html><head><title>Not Found</title></head><body>404</body></html>
""",
    good="export default { id: 'demo', register(ctx) { ctx.onDispose(() => {}) } }\n",
)
