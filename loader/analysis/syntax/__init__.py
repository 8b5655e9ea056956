"""Text to model: what a plugin imports, exports, declares, calls and means. It extracts, it never judges."""

from loader.analysis.syntax.imports import ExportedName, ImportedName, ModuleRecord, ModuleRequest
from loader.analysis.syntax.module import Call, Comment, Module, Node, parse
from loader.analysis.syntax.parsed import GaveUp, Parsed
from loader.analysis.syntax.plugin_object import PluginObject, Property, Value, is_function, object_of, value_of
from loader.analysis.syntax.scopes import Binding, Reference, Scope, Scopes, Write, property_name
from loader.analysis.syntax.tree import Tree

__all__ = [
    "Binding",
    "Call",
    "Comment",
    "ExportedName",
    "GaveUp",
    "ImportedName",
    "Module",
    "ModuleRecord",
    "ModuleRequest",
    "Node",
    "Parsed",
    "PluginObject",
    "Property",
    "Reference",
    "Scope",
    "Scopes",
    "Tree",
    "Value",
    "Write",
    "is_function",
    "object_of",
    "parse",
    "property_name",
    "value_of",
]
