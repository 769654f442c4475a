"""Finds and rewrites the libraries of scripts that share one global scope with them.

These are scripts for the releases 0.26 and 0.27 of 0 A.D. They load libraries, which declare names
for all. There are two cases:

    Engine.LoadLibrary("rmgen");        // at the beginning: ``leading_libraries``
    if (isHilly)
        Engine.LoadLibrary("hills");    // in the middle of the script: ``with_var``

``script_engine`` runs the libraries of the first kind as scripts of their own before the script.
Those of the second kind can only be run by ``eval``, and are rewritten for that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from randomizer.model.basics.caches import registered
from randomizer.model.basics.sized_cache import sized_cache
from randomizer.systems.zeroad.engine.tokens import NAME, OTHER, Token, tokens

_BLANKS_AND_COMMENTS = r"\s | //[^\n]*+ | /\*.*?\*/"

_USE_STRICT = r"""(["'])use\ strict\1;?"""

_LOAD_LIBRARY = r"""Engine\s*\.\s*LoadLibrary\s*\(\s*(["'])(?P<name>[^"'\\\n]*)\2\s*\)\s*;?"""

_LEADING = re.compile(
    rf"(?: {_BLANKS_AND_COMMENTS} | {_USE_STRICT} )*+ {_LOAD_LIBRARY}", re.DOTALL | re.VERBOSE
)
"""The next call of ``Engine.LoadLibrary`` at the beginning of a script."""


def leading_libraries(text: str) -> Iterator[str]:
    """Yield the libraries that a script loads before it does anything else, in their order.

    To run them before the script, as scripts of their own, is exactly what it asks for.
    """
    position = 0
    while match := _LEADING.match(text, position):
        yield match["name"]
        position = match.end()


@registered(bytes_a_unit=2)
@sized_cache(max_entries=512, max_size=1 << 19)
def with_var(text: str) -> str:
    """Return a script in which the outermost ``let``, ``const`` and ``class`` become ``var``.

    Names that ``eval`` declares by ``let``, ``const`` and ``class`` are not seen outside of it, and
    in a strict script no names are: so "use strict" is removed, too. Errors still have the right
    line and, except in lines with a class, the right column.
    """
    return _Rewriter(text).rewrite()


class _Rewriter:
    """Copies a script with other words in some places.

    For instance "let a = 1" becomes "var a = 1", and "class A {}" becomes "var A=class A {};".
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._pieces: list[str] = []
        """The new text up to the offset ``_copied``."""
        self._copied = 0
        """The offset up to which the script is copied."""
        self._is_in_class = False
        """True while an outermost class that has become ``var`` is open."""

    def rewrite(self) -> str:
        """Return the new text; called once."""
        declaration: Token | None = None
        """The token before, if it is a word that can declare."""
        previous_token: Token | None = None
        for token in tokens(self._text):
            if previous_token is None:
                self._drop_directive(token)
            if declaration is not None:
                self._declare_as_var(declaration, token)
            declaration = None
            if _can_declare(token, previous_token):
                declaration = token
            else:
                self._end_class(token)
            previous_token = token
        return "".join([*self._pieces, self._text[self._copied :]])

    def _drop_directive(self, first_token: Token) -> None:
        """Replace "use strict" at the beginning by a text of the same length, without an effect."""
        if first_token.text[1:-1] == "use strict":
            quote = first_token.text[0]
            blanks = " " * len("use strict")
            self._replace(first_token.start, first_token.end, f"{quote}{blanks}{quote}")

    def _end_class(self, token: Token) -> None:
        """Put a semicolon behind the bracket that ends a class which has become ``var``."""
        is_end = token.depth == 0 and token.kind == OTHER and token.text == "}"
        if self._is_in_class and is_end:
            self._replace(token.end, token.end, ";")
            self._is_in_class = False

    def _declare_as_var(self, declaration: Token, token: Token) -> None:
        """Replace ``let``, ``const`` or ``class`` if the token behind it shows that it declares.

        Old scripts may use ``let`` as a name, and an expression can be a class without a name.
        """
        if declaration.text == "class":
            if token.kind == NAME:
                var = f"var {token.text}=class"
                self._replace(declaration.start, declaration.end, var)
                self._is_in_class = True
        elif token.kind == NAME or token.text in ("[", "{"):
            var = "var".ljust(len(declaration.text))  # so that columns stay
            self._replace(declaration.start, declaration.end, var)

    def _replace(self, start: int, end: int, replacement: str) -> None:
        """Copy the text up to ``start``, and write ``replacement`` instead of what follows."""
        self._pieces += [self._text[self._copied : start], replacement]
        self._copied = end


def _can_declare(token: Token, previous_token: Token | None) -> bool:
    """Return whether a token can be the word of an outermost declaration."""
    is_word = token.kind == NAME and token.text in ("let", "const", "class")
    return is_word and token.depth == 0 and _can_begin_statement(previous_token)


def _can_begin_statement(previous_token: Token | None) -> bool:
    """Return whether a statement can begin behind a token; None: at the beginning.

    Behind any name it can: which keyword it is does not count.
    """
    if previous_token is None or previous_token.kind != OTHER:
        return True
    return previous_token.text in (";", "}", ")", "]", "++", "--")
