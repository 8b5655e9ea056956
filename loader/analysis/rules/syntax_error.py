"""The file does not parse as a JavaScript module.

The place is the best that the engine, a second parser and the syntax tree know together; for a bracket, string or
comment that is never closed it is where it was opened. What only the app's engine refuses (`<!--` in a module) counts
too.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP101",
    __doc__,
    found_by="syntax",
    bad="""export default {
  id: 'demo',
  register(ctx) {
    ctx.onDispose(() => {)
  }
}
""",
    good="""export default {
  id: 'demo',
  register(ctx) {
    ctx.onDispose(() => {})
  }
}
""",
)
