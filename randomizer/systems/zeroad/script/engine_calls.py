"""Finds what a script asks of the game by the object ``Engine``: ``Engine.LoadLibrary("rmgen")``.

library_names('Engine.LoadLibrary("rmgen");')        # ("rmgen",)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from randomizer.systems.zeroad.engine.tokens import TEXT, Token, tokens


def library_names(text: str) -> tuple[str, ...]:
    """Return the libraries that a script or library names, each once.

    A computed name is left out.
    """
    names = (name.text[1:-1] for name in library_tokens(list(tokens(text))))
    return tuple(dict.fromkeys(names))


def library_tokens(token_list: Sequence[Token]) -> Iterator[Token]:
    """Yield the names in calls of Engine.LoadLibrary; a computed name is left out."""
    for index, token in enumerate(token_list[:-3]):
        if token.text == "LoadLibrary" and is_of_engine(token_list, index):
            bracket, name, end = token_list[index + 1 : index + 4]
            if (bracket.text, name.kind, end.text) == ("(", TEXT, ")"):
                yield name


def is_of_engine(token_list: Sequence[Token], index: int) -> bool:
    """Return whether "Engine." stands before a token."""
    if index < 2:
        return False
    return token_list[index - 2].text == "Engine" and token_list[index - 1].text == "."
