"""What is wrong with a text that does not parse: the best place, in the author's words."""

from loader.analysis.mistakes.explain import explain
from loader.analysis.mistakes.foreign import may_be_foreign, not_javascript

__all__ = ["explain", "may_be_foreign", "not_javascript"]
