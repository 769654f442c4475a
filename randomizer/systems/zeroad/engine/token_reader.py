"""Reads the tokens of a script one after the other, and makes errors with their places.

    reader = TokenReader("maps/random/wild.js", 'import { a } from "b.js";')
    reader.skip("import")       # True: it was the next token, and is skipped
    reader.token.text           # "{", which is the next one now
    reader.read()               # returns it, and goes on

Behind the last token stands one of the kind ``END``, so that there is always a next one.
"""

from __future__ import annotations

from randomizer.systems.zeroad.engine.faults import Frame, ScriptFailedError
from randomizer.systems.zeroad.engine.tokens import NAME, TEXT, Token, tokens

END = "end"
"""The kind of the token that stands for the end of the text."""


class TokenReader:
    """The tokens of one script, and the position up to which they are read."""

    def __init__(self, path: str, text: str) -> None:
        self.text = text
        """The text of the script."""
        self.tokens = list(tokens(text))
        """All tokens, without the one of the kind ``END``."""
        self.index = 0
        """The index of the next token."""
        self._path = path
        """The path of the script, for places of errors."""

    @property
    def token(self) -> Token:
        """The next token."""
        if self.index < len(self.tokens):
            return self.tokens[self.index]
        return Token(END, "", len(self.text), 0)

    @property
    def last_token(self) -> Token:
        """The token that was read last.

        There must be one: it is asked for neither at the beginning nor behind the end.
        """
        return self.tokens[self.index - 1]

    def read(self) -> Token:
        """Read the next token: return it and go on behind it."""
        token = self.token
        self.index += 1
        return token

    def skip(self, text: str) -> bool:
        """Go on behind the next token if it is ``text``, unquoted; return whether it was."""
        if self.token.text != text or self.token.kind == TEXT:
            return False
        self.index += 1
        return True

    def read_name(self) -> str:
        """Read the next token as a name, which may be quoted. Raises ScriptFailedError."""
        token = self.read()
        if token.kind == TEXT:
            return string_of(token)
        if token.kind != NAME:
            raise self.unexpected(token)
        return token.text

    def frame_of(self, token: Token) -> Frame:
        """Return the place of a token in the script."""
        text_before = self.text[: token.start]
        line = text_before.count("\n") + 1
        column = token.start - text_before.rfind("\n")  # from 1, as rfind is -1 in the first line
        return Frame(self._path, line, column)

    def unexpected(self, token: Token) -> ScriptFailedError:
        """Return the error for a token that cannot stand where it does, to be raised."""
        message = f"SyntaxError: Unexpected “{token.text}”"
        return ScriptFailedError("script-error", message, self.frame_of(token))


def string_of(token: Token) -> str:
    """Return the value of a quoted text; escapes do not occur in paths and names."""
    return token.text[1:-1]
