"""Rewrites assignments to the exported variables of a module, so that other modules notice them.

An imported name always has the present value of the variable. Here it is a variable of its own, to
which prelude.js copies the value whenever ``$set`` is called::

    a = 1       becomes     $set.a=a = 1
    a++         becomes     $set.a(a++)

What is put in begins with a name, not with a bracket: JavaScript would join a bracket to a line
before it that ends without a semicolon.

Some changes are missed, so that other modules keep the old value:

- by destructuring, ``[a] = [1]``;
- by ``a = 1`` behind ``(`` or ``,``, where it could be the default value of a parameter.

And a local variable of the same name counts as the exported one: then other modules copy the
exported one once more, which changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import NamedTuple

from randomizer.systems.zeroad.engine.tokens import NAME, Token, ends_value, text_at, tokens

_ASSIGNS = re.compile(r"\s*(?:\*\*|<<|>>>?|&&|\|\||\?\?|[-+*/%&|^])?=(?![=>])")
"""An assignment operator such as ``=``, ``+=`` or ``??=``, but no comparison and no arrow."""

_STEPS = ("++", "--")
"""The operators that change a variable by 1, before its name or behind it."""

_NO_VARIABLE_AFTER = (".", "?.", "let", "const", "var", "function", "class")
"""Texts of tokens behind which a name is that of a property, or is declared."""


class RewrittenBody(NamedTuple):
    """The text of a module in which assignments call ``$set``."""

    text: str

    changing_names: frozenset[str]
    """The names that are assigned to."""


def with_setters(body: str, names: AbstractSet[str]) -> RewrittenBody:
    """Return a module's text in which assignments to some names, no declarations, call ``$set``."""
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
    return RewrittenBody("".join([*pieces, body[position:]]), frozenset(changing_names))


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

    # ``a++``
    if text_after in _STEPS and _is_next_on_same_line(body, token_list, index):
        end = token_list[index + 1].end
        return _Setter(token.start, end, f"$set.{name}({name}{text_after})")

    # ``++a``, if the step does not belong to the value before it. In ``++a.b`` the property
    # changes, not the variable.
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
    return _is_next_on_same_line(body, token_list, index - 1)


def _is_next_on_same_line(body: str, token_list: Sequence[Token], index: int) -> bool:
    """Return whether there is a token at ``index``, and the next one is on its line.

    JavaScript takes ``a`` and ``++`` on two lines for two statements.
    """
    if index < 0 or index + 1 >= len(token_list):
        return False
    return "\n" not in body[token_list[index].end : token_list[index + 1].start]
