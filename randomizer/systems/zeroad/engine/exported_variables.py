"""Rewrites assignments to the exported variables of a module, so that other modules notice them.

An imported name always has the present value of the variable. Here it is a variable of its own, to
which prelude.js copies the value whenever ``$set`` is called::

    a = 1       becomes     $set.a=a = 1
    a++         becomes     $set.a(a++)

The text that is put in begins with a name, as the text before did, so that a line before it without
a semicolon ends where it did.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from randomizer.systems.zeroad.engine.tokens import NAME, Token, ends_value, text_at, tokens

_ASSIGNS = re.compile(r"\s*(?:\*\*|<<|>>>?|&&|\|\||\?\?|[-+*/%&|^])?=(?![=>])")
"""An assignment operator such as ``=``, ``+=`` or ``??=``, but no comparison and no arrow."""

_STEPS = ("++", "--")
"""The operators that change a variable by 1, before its name or behind it."""

_NO_VARIABLE_AFTER = (".", "?.", "let", "const", "var", "function", "class")
"""Texts of tokens behind which a name is that of a property, or is declared."""


def with_setters(body: str, names: AbstractSet[str]) -> tuple[str, frozenset[str]]:
    """Return a module's text in which assignments to some names call ``$set``.

    The second result is those of ``names`` that are assigned to. Not rewritten are declarations,
    destructuring, parameters, and what could be a parameter.
    """
    token_list = list(tokens(body))
    changing_names = set[str]()
    pieces = list[str]()
    position = 0
    for index, token in enumerate(token_list):
        if token.kind != NAME or token.text not in names:
            continue
        setter = _setter_at(body, token_list, index)
        if setter is not None:
            changing_names.add(token.text)
            pieces += [body[position : setter.start], setter.text]
            position = setter.end
    return "".join([*pieces, body[position:]]), frozenset(changing_names)


@dataclass(frozen=True)
class _Setter:
    """A text that replaces a part of a module's text."""

    start: int
    end: int
    text: str


def _setter_at(body: str, token_list: Sequence[Token], index: int) -> _Setter | None:
    """Return the setter for the name at ``index``, None if nothing is assigned to it there."""
    token = token_list[index]
    name = token.text
    text_before = text_at(token_list, index - 1)
    text_after = text_at(token_list, index + 1)
    if text_before in _NO_VARIABLE_AFTER:
        return None

    # ``a++``, and ``++a`` if the step does not belong to the value before it. In ``++a.b`` the
    # property changes, not the variable.
    if text_after in _STEPS and _are_on_one_line(body, token_list, index):
        end = token_list[index + 1].end
        return _Setter(token.start, end, f"$set.{name}({name}{text_after})")
    is_stepped = text_before in _STEPS and not _is_step_of_value(body, token_list, index - 1)
    if is_stepped and text_after not in (".", "?.", "[", "("):
        start = token_list[index - 1].start
        return _Setter(start, token.end, f"$set.{name}({text_before}{name})")

    # ``a = 1``, ``a += 1``. In brackets ``a = 1`` may be the default value of a parameter.
    assigns = _ASSIGNS.match(body, token.end)
    if assigns is None:
        return None
    is_perhaps_parameter = text_before in ("(", ",") and assigns[0].strip() == "="
    if is_perhaps_parameter:
        return None
    return _Setter(token.start, token.end, f"$set.{name}={name}")


def _is_step_of_value(body: str, token_list: Sequence[Token], index: int) -> bool:
    """Return whether ``++`` or ``--`` at ``index`` changes the value that stands before it."""
    if index < 1 or not ends_value(token_list[index - 1]):
        return False
    return _are_on_one_line(body, token_list, index - 1)


def _are_on_one_line(body: str, token_list: Sequence[Token], index: int) -> bool:
    """Return whether a token and the next one exist and are on one line.

    JavaScript takes ``a`` and ``++`` on two lines for two statements.
    """
    if index < 0 or index + 1 >= len(token_list):
        return False
    return "\n" not in body[token_list[index].end : token_list[index + 1].start]
