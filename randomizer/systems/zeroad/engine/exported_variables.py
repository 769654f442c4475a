"""Rewrites assignments to the exported variables of a module, so that other modules notice them.

An imported name always has the present value of the variable. Here it is a variable of its own, to
which prelude.js copies the value whenever ``$set`` is called::

    a = 1       becomes     $set.a=a = 1
    a++         becomes     $set.a(a++)

The inserted text begins with a name, not with a bracket: JavaScript would join a bracket to a line
before it that ends without a semicolon.

Three things are not told apart without a parser, and harm no real script so far:

- ``[a] = [1]`` assigns to ``a``, and is missed: other modules keep the old value. So is ``a = 1``
  behind ``(`` or ``,``, which is mostly the default value of a parameter.
- ``class C { a = 1 }`` with a field named like an exported variable becomes a syntax error.
- A local variable of the same name counts as the exported one: then other modules copy the exported
  one once more, which changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import NamedTuple

from randomizer.systems.zeroad.engine.tokens import NAME, Token, ends_value, text_at, tokens

_ASSIGNMENT = re.compile(r"\s*(?:\*\*|<<|>>>?|&&|\|\||\?\?|[-+*/%&|^])?=(?![=>])")
"""An assignment operator such as ``=``, ``+=`` or ``??=``, but no comparison and no arrow."""

_STEPS = ("++", "--")
"""The operators that change a variable by 1, before its name or behind it."""

_BEFORE_PROPERTY_OR_DECLARATION = (".", "?.", "let", "const", "var", "function", "class")
"""Texts of tokens behind which a name is that of a property, or is declared."""

_BEFORE_PATTERN = ("(", ",", "[", "let", "const", "var")
"""Texts of tokens behind which a ``{`` begins a pattern of names, and no block of statements."""


class RewrittenBody(NamedTuple):
    """The text of a module in which assignments call ``$set``."""

    text: str

    changing_names: frozenset[str]
    """The names that are assigned to."""


def with_setters(body: str, names: AbstractSet[str]) -> RewrittenBody:
    """Return a module's text in which assignments to ``names`` call ``$set``."""
    token_list = list(tokens(body))
    changing_names = set[str]()
    rewritten = list[str]()
    copied_up_to = 0
    for index, token in enumerate(token_list):
        if token.kind != NAME or token.text not in names:
            continue
        replacement = _replacement_at(body, token_list, index)
        if replacement is not None:
            changing_names.add(token.text)
            rewritten += [body[copied_up_to : replacement.start], replacement.text]
            copied_up_to = replacement.end
    rewritten.append(body[copied_up_to:])
    return RewrittenBody("".join(rewritten), frozenset(changing_names))


@dataclass(frozen=True)
class _Replacement:
    """A part of a module's text, and the text that takes its place."""

    start: int
    end: int
    text: str


def _replacement_at(body: str, token_list: Sequence[Token], index: int) -> _Replacement | None:
    """Return the replacement of an assignment to the name at ``index``; None if there is none."""
    token = token_list[index]
    name = token.text
    if text_at(token_list, index - 1) in _BEFORE_PROPERTY_OR_DECLARATION:
        return None

    if _is_stepped_behind(body, token_list, index):  # ``a++``
        step = token_list[index + 1]
        return _Replacement(token.start, step.end, f"$set.{name}({name}{step.text})")

    if _is_stepped_before(body, token_list, index):  # ``++a``
        step = token_list[index - 1]
        return _Replacement(step.start, token.end, f"$set.{name}({step.text}{name})")

    assignment = _ASSIGNMENT.match(body, token.end)
    if assignment is None:
        return None
    # ``a += 1`` always assigns, but ``a = 1`` can be a default value.
    if assignment[0].strip() == "=" and _is_default_possible(token_list, index):
        return None
    return _Replacement(token.start, token.end, f"$set.{name}={name}")


def _is_stepped_behind(body: str, token_list: Sequence[Token], index: int) -> bool:
    """Return whether the name at ``index`` has ``++`` or ``--`` behind it."""
    if text_at(token_list, index + 1) not in _STEPS:
        return False
    return _is_next_on_same_line(body, token_list, index)


def _is_stepped_before(body: str, token_list: Sequence[Token], index: int) -> bool:
    """Return whether the name at ``index`` has ``++`` or ``--`` before it.

    In ``++a.b`` the property changes, not the variable; in ``b++ a`` the value before the step.
    """
    if text_at(token_list, index - 1) not in _STEPS:
        return False
    if text_at(token_list, index + 1) in (".", "?.", "[", "("):
        return False
    return not _is_step_of_value(body, token_list, index - 1)


def _is_default_possible(token_list: Sequence[Token], index: int) -> bool:
    """Return whether ``a = 1`` with the name at ``index`` may be a default value.

    It stands in brackets, ``(a = 1)`` or ``(b, a = 1)``, or in a pattern, ``({a = 1})``.
    """
    text_before = text_at(token_list, index - 1)
    if text_before == "{":
        return text_at(token_list, index - 2) in _BEFORE_PATTERN
    return text_before in ("(", ",")


def _is_step_of_value(body: str, token_list: Sequence[Token], index: int) -> bool:
    """Return whether ``++`` or ``--`` at ``index`` changes the value that stands before it."""
    if index < 1 or not ends_value(token_list[index - 1]):
        return False
    return _is_next_on_same_line(body, token_list, index - 1)


def _is_next_on_same_line(body: str, token_list: Sequence[Token], index: int) -> bool:
    """Return whether there is a token at ``index``, and the next one is on its line.

    JavaScript takes ``a`` and ``++`` on two lines for two statements.
    """
    if index < 0 or index + 1 >= len(token_list):
        return False
    return "\n" not in body[token_list[index].end : token_list[index + 1].start]
