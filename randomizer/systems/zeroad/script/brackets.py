"""Finds the first bracket of a script without its partner.

    first_unpaired(list(tokens("f(a[1)")))        # the "[", which is never closed
    first_unpaired(list(tokens("f(a)) + 1")))     # the second ")", which closes nothing

The braces of an expression in a template, ``${`` and ``}``, are the ends of its fixed parts, which
are tokens of the kind TEXT (``engine.tokens``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from randomizer.systems.zeroad.engine.tokens import OTHER, TEXT, Token

_OPENING_OF = {")": "(", "]": "[", "}": "{"}
"""The brackets that close, each with the one that opens."""


class Unpaired(NamedTuple):
    """A bracket without its partner, or a part of a template whose expression has no end."""

    token: Token

    is_opening: bool
    """True if it is never closed, False if it closes nothing."""


def first_unpaired(token_list: Sequence[Token]) -> Unpaired | None:
    """Return the first bracket without its partner, None if there is none.

    Where a bracket closes another one than the last that is open, either can be at fault. It is the
    open one if all others have partners without it, as in "{ zzz( }".
    """
    scan = _scan(token_list, [])
    if scan.stop is None:
        if scan.open_tokens:
            return Unpaired(scan.open_tokens[-1], is_opening=True)
        return None

    closing = token_list[scan.stop]
    if _is_opening_at_fault(token_list, scan.stop, scan.open_tokens):
        return Unpaired(scan.open_tokens[-1], is_opening=True)
    return Unpaired(closing, is_opening=False)


def _is_opening_at_fault(token_list: Sequence[Token], stop: int, open_tokens: list[Token]) -> bool:
    """Return whether the last open bracket is at fault, not the closing one at the index ``stop``.

    ``open_tokens`` are those that are open there.
    """
    if not open_tokens:
        return False
    # All others have partners without the open one.
    if _has_only_pairs(token_list[stop:], open_tokens[:-1]):
        return True
    # The closing one has a partner farther out, and is not just one too many.
    wanted = _OPENING_OF[token_list[stop].text]
    has_partner = any(opening.text == wanted for opening in open_tokens)
    return has_partner and not _has_only_pairs(token_list[stop + 1 :], open_tokens)


@dataclass(frozen=True)
class _Scan:
    """How far brackets could be paired."""

    stop: int | None
    """The index of the first bracket that does not close the last open one; None if all do."""

    open_tokens: list[Token]
    """The brackets that are open there, or at the end, the outermost first."""


def _scan(token_list: Sequence[Token], open_before: Sequence[Token]) -> _Scan:
    """Pair the brackets of tokens, with those that are open before them."""
    open_tokens = list(open_before)
    for index, token in enumerate(token_list):
        if token.kind == TEXT:
            ends_expression = token.text.startswith("}")
            if ends_expression and open_tokens and open_tokens[-1].kind == TEXT:
                open_tokens.pop()
            if token.text.endswith("${"):
                open_tokens.append(token)
        elif token.kind == OTHER and token.text in _OPENING_OF.values():
            open_tokens.append(token)
        elif token.kind == OTHER and token.text in _OPENING_OF:
            if not open_tokens or open_tokens[-1].text != _OPENING_OF[token.text]:
                return _Scan(index, open_tokens)
            open_tokens.pop()
    return _Scan(None, open_tokens)


def _has_only_pairs(token_list: Sequence[Token], open_before: Sequence[Token]) -> bool:
    """Return whether all brackets have partners, those that are open before included."""
    scan = _scan(token_list, open_before)
    return scan.stop is None and not scan.open_tokens
