"""Whether code is nested more deeply than the app's engine takes.

V8 parses by recursion on a stack of about 1 MB. How many levels fit depends on what is nested: 3,271 arrays, 2,001
parentheses, 488 functions (measured with Node 24 by bisection; sums and chains of any length are loops there and
cost nothing). Each level is weighed by that.
"""

from __future__ import annotations

from loader.analysis.syntax import Tree
from loader.analysis.syntax.tree import KIND_NAMES

_BUDGET = 3271.0
# Below this no mix of levels can reach the budget.
HARMLESS_DEPTH = 400
_COSTS = {
    "array": 1.0,
    "array_pattern": 1.0,
    "object": 0.95,
    "object_pattern": 0.95,
    "pair": 0.9,
    "parenthesized_expression": 1.63,
    "statement_block": 1.26,
    "function_expression": 3.8,
    "function_declaration": 3.8,
    "generator_function": 3.8,
    "generator_function_declaration": 3.8,
    "method_definition": 3.8,
    "arrow_function": 3.5,
    "class_body": 2.0,
    "arguments": 2.0,
    "template_substitution": 1.34,
    "unary_expression": 0.26,
    "else_clause": 0.7,
    "if_statement": 0.7,
    "for_statement": 1.0,
    "while_statement": 1.0,
    "await_expression": 0.3,
}
_COST_OF_KIND = tuple(_COSTS.get(name, 0.0) for name in KIND_NAMES)


def is_too_deep(tree: Tree) -> bool:
    if tree.depth < HARMLESS_DEPTH:
        return False
    weights = [0.0] * len(tree.parents)
    costs, kinds, parents = _COST_OF_KIND, tree.kinds, tree.parents
    for index in range(1, len(parents)):
        weight = weights[index] = weights[parents[index]] + costs[kinds[index]]
        if weight > _BUDGET:
            return True
    return False
