"""What is wrong with a text that does not parse: the best place, in the author's words."""

from loader.analysis.mistakes.explain import explain
from loader.analysis.mistakes.foreign import not_javascript

__all__ = ["explain", "not_javascript"]
