"""Characters in the source that nobody sees: direction controls, invisible letters in names, long invisible runs.

A direction control makes an editor show code in another order than it runs in, an invisible letter makes two names look
like one, and rows of zero-width characters can carry a whole program past a reader. Write such a character as an escape
(`\\u202e`) where it is meant; where the example shows one, the file holds the character itself. Emoji, joiners in words
that need them, closed isolates and a byte order mark are fine.
"""

from __future__ import annotations

from collections.abc import Iterator

from loader.analysis.rule import Finding, Rule, Subject
from loader.analysis.syntax.hidden import character_name, hidden_characters

_MESSAGES = {
    "direction": "what an editor shows here is not what runs",
    "letter": "the name looks like another one",
    "run": "text that only a machine can read",
}


def check(subject: Subject) -> Iterator[Finding]:
    for hidden in hidden_characters(subject.module):
        shown = character_name(hidden.first)
        what = shown if hidden.count == 1 else f"{hidden.count} invisible characters from {shown} on"
        escape = f"\\u{{{ord(hidden.first):x}}}"
        meant = f", or write the escape `{escape}` if it is meant" if hidden.where in ("a string", "a template") else ""
        yield Finding(
            hidden.span,
            f"{what} in {hidden.where}: {_MESSAGES[hidden.kind]}",
            f"Delete it (delete and retype the word around it){meant}.",
        )


RULE = Rule(
    "HP614",
    __doc__,
    check=check,
    bad="""export default {
  id: 'demo',
  register(ctx) {
    const role = ctx.storage.get('role', 'user\u202e')
    ctx.storage.set('isAdmin', role === 'admin')
  }
}
""",
    good="""export default {
  id: 'demo',
  register(ctx) {
    const role = ctx.storage.get('role', 'user')
    ctx.storage.set('isAdmin', role === 'admin')
  }
}
""",
)
