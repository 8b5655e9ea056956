"""What is wrong with a text that does not parse: the best place, in the author's words.

`mistakes.explain` is imported by who needs it: most texts parse.
"""

from loader.analysis.mistakes.foreign import may_be_foreign, not_javascript

__all__ = ["may_be_foreign", "not_javascript"]
