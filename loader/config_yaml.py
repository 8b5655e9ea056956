"""config.yaml as Hermes reads it: of two equal keys the last counts.

The YAML specification wants such a file refused, and our parser would refuse it. Hermes' own (PyYAML) does not, and
tools append a second ``plugins:`` or ``desktop:`` block to files that have one: what Hermes then runs must not be
unknown here.
"""

from __future__ import annotations

import codecs
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.constructor import SafeConstructor

from loader.yaml_bounds import demand_shallow

# What merge keys may bring into one mapping: references to what refers to itself twice, and again, grow without bound.
MERGED_LIMIT = 100_000
_WIDE_MARKS = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def text_of(data: bytes) -> str:
    """The file's text. Raises ValueError (a UnicodeDecodeError, too) where it is not UTF-8."""
    if data.startswith(_WIDE_MARKS):
        raise ValueError("it is UTF-16 or UTF-32: save it as UTF-8")
    return data.decode("utf-8-sig")


def load(text: str, *, pure: bool = True) -> Any:
    """What the file says, in plain values. ``pure`` off is ten times faster, and names places in fewer of the errors.

    Raises:
        YAMLError, ValueError, RecursionError: it is no YAML, or says something that has no value.
    """
    demand_shallow(text)
    yaml = YAML(typ="safe", pure=pure)
    yaml.Constructor = _LastKeyCounts
    return yaml.load(text)


class _LastKeyCounts(SafeConstructor):
    def check_mapping_key(self, node: Any, key_node: Any, mapping: Any, key: Any, value: Any) -> bool:
        """Whether to take the value: always."""
        return True

    def flatten_mapping(self, node: Any) -> None:
        """Merge in what ``<<`` names, within bounds."""
        super().flatten_mapping(node)
        if len(node.value) > MERGED_LIMIT:
            raise ValueError(f"its references merge more than {MERGED_LIMIT} entries into one mapping")
