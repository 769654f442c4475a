"""Scripts whose outermost names are shared by all: which libraries come first, let as var."""

from __future__ import annotations

import re
from collections.abc import Iterator

from randomizer.model.basics.caches import registered
from randomizer.model.basics.sized_cache import sized_cache
from randomizer.systems.zeroad.engine.tokens import NAME, OTHER, Token, tokens

_LEADING = re.compile(
    r"""(?:\s|//[^\n]*+|/\*.*?\*/|(["'])use\ strict\1;?)*+
    Engine\s*\.\s*LoadLibrary\s*\(\s*(["'])(?P<name>[^"'\\\n]*)\2\s*\)\s*;?""",
    re.DOTALL | re.VERBOSE,
)


def leading_libraries(text: str) -> Iterator[str]:
    """Yield the libraries that a script loads before it does anything else, in their order.

    They can be run before it as scripts of their own, which is exactly what the script asks for.
    """
    at = 0
    while match := _LEADING.match(text, at):
        yield match["name"]
        at = match.end()


@registered(bytes_a_unit=2)
@sized_cache(most=512, size=1 << 19)
def with_var(text: str) -> str:
    """Return the script with its outermost ``let``, ``const`` and ``class`` made ``var``, and not
    strict.

    ``eval`` keeps those names to itself, and all names of a strict script; a library that is loaded
    in the middle of a script can only be run by it. Lines stay, and columns but for classes.
    """
    pieces = []
    done = 0
    last_token: Token | None = None
    class_opened = False
    waiting: tuple[str, Token] | None = None
    for token in tokens(text):
        if last_token is None and token.text[1:-1] == "use strict":
            pieces.append(text[: token.start] + token.text.replace("use ", "not "))
            done = token.end
        if waiting is not None:
            word, start = waiting
            waiting = None
            if token.kind == NAME or (word != "class" and token.text in ("[", "{")):
                pieces.append(text[done : start.start])
                if word == "class":
                    pieces.append(f"var {token.text}=class")
                    class_opened = True
                else:
                    pieces.append("var".ljust(len(word)))
                done = start.end
        if token.kind == NAME and token.depth == 0 and token.text in ("let", "const", "class"):
            if _begins_statement(last_token):
                waiting = token.text, token
        elif class_opened and token.depth == 0 and token.text == "}" and token.kind == OTHER:
            pieces.append(text[done : token.end] + ";")
            done = token.end
            class_opened = False
        last_token = token
    return "".join([*pieces, text[done:]])


def _begins_statement(last_token: Token | None) -> bool:
    if last_token is None or last_token.kind != OTHER:
        return True
    return last_token.text in (";", "}", ")", "]", "++", "--")
