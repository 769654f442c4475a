"""Rewrites scripts that share one global scope: those of the releases 0.26 and 0.27 of 0 A.D.

``script_engine`` runs the libraries that a script begins with before it (``leading_libraries``).
A library that is loaded later is run by ``eval``, and rewritten for that (``with_var``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from randomizer.model.basics.caches import registered
from randomizer.model.basics.sized_cache import sized_cache
from randomizer.systems.zeroad.engine.tokens import NAME, OTHER, Token, tokens

# Blanks, comments and "use strict"; then Engine.LoadLibrary("name").
_LEADING = re.compile(
    r"""(?:\s|//[^\n]*+|/\*.*?\*/|(["'])use\ strict\1;?)*+
    Engine\s*\.\s*LoadLibrary\s*\(\s*(["'])(?P<name>[^"'\\\n]*)\2\s*\)\s*;?""",
    re.DOTALL | re.VERBOSE,
)


def leading_libraries(text: str) -> Iterator[str]:
    """Yield the libraries that a script loads before it does anything else, in their order.

    They can be run before it as scripts of their own, which is exactly what the script asks for.
    """
    position = 0
    while match := _LEADING.match(text, position):
        yield match["name"]
        position = match.end()


@registered(bytes_a_unit=2)
@sized_cache(max_entries=512, max_size=1 << 19)
def with_var(text: str) -> str:
    """Return the script with its outermost ``let``, ``const`` and ``class`` made ``var``.

    Its "use strict" goes as well. The reason is that ``eval``, by which alone a library can be run
    in the middle of a script, keeps those names to itself, and all names of a strict script. Lines
    stay, and columns but for classes.
    """
    return _Rewriter(text).rewritten()


class _Rewriter:
    """Copies a script with other words in some places.

    For instance "let a = 1" becomes "var a = 1", and "class A {}" becomes "var A=class A {};".
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._pieces: list[str] = []
        """The new text up to the offset ``_copied``."""
        self._copied = 0
        self._is_in_class = False
        """Whether an outermost class that has become ``var`` is open."""

    def rewritten(self) -> str:
        """Return the new text; to be called once."""
        declaration: Token | None = None  # the word before, if it is one that can declare
        previous_token: Token | None = None
        for token in tokens(self._text):
            if previous_token is None and token.text[1:-1] == "use strict":
                # Another text of the same length is no directive.
                self._replace(token.start, token.end, token.text.replace("use ", "not "))
            if declaration is not None:
                self._declare_as_var(declaration, token)
                declaration = None

            is_outermost = token.depth == 0
            if is_outermost and token.kind == NAME and token.text in ("let", "const", "class"):
                if _begins_statement(previous_token):
                    declaration = token
            elif self._is_in_class and is_outermost and token.kind == OTHER and token.text == "}":
                self._replace(token.end, token.end, ";")  # it ends an expression now
                self._is_in_class = False
            previous_token = token
        return "".join([*self._pieces, self._text[self._copied :]])

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


def _begins_statement(previous_token: Token | None) -> bool:
    """Return whether a statement can begin behind a token; None: at the beginning."""
    if previous_token is None or previous_token.kind != OTHER:
        return True
    return previous_token.text in (";", "}", ")", "]", "++", "--")
