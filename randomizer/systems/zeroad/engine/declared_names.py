"""Finds the names that a declaration in a script declares.

    let a = f(x, y), { b, c: d } = g;           variable_names: a, b, d
    async function* e() { ... }                 function_or_class_name: e

Values are skipped without being understood: a comma within brackets has a greater depth than the
comma before the next variable.
"""

from __future__ import annotations

from randomizer.systems.zeroad.engine.token_reader import END, TokenReader
from randomizer.systems.zeroad.engine.tokens import NAME, OTHER, TEXT, Token


def variable_names(reader: TokenReader) -> list[str]:
    """Return the names that a ``let``, ``const`` or ``var`` declares, and read to its end.

    The next token is the one behind that word. Raises ScriptFailedError for what is no name.
    """
    names: list[str] = []
    while True:
        if reader.token.text in ("[", "{"):
            names += _names_in_pattern(reader)
        else:
            names.append(reader.take_name())
        if not _skip_to_next_variable(reader):
            return names


def _skip_to_next_variable(reader: TokenReader) -> bool:
    """Skip the value of a variable and the comma behind it; False at the end of the statement."""
    while True:
        token = reader.token
        is_outside_brackets = token.depth == 0
        if token.kind == END or (is_outside_brackets and token.text == ";"):
            return False
        if is_outside_brackets and _begins_statement(reader, reader.last_token, token):
            return False
        reader.take()
        if is_outside_brackets and token.text == "," and token.kind != TEXT:
            return True


def _begins_statement(reader: TokenReader, previous: Token, token: Token) -> bool:
    """Return whether JavaScript puts a semicolon between two tokens of two lines."""
    is_on_next_line = "\n" in reader.text[previous.end : token.start]
    if not is_on_next_line or token.kind != NAME:
        return False
    has_value_ended = previous.kind != OTHER or previous.text in (")", "]", "}")
    return has_value_ended and token.text not in ("in", "instanceof")


def _names_in_pattern(reader: TokenReader) -> list[str]:
    """Return the names that a destructuring pattern declares, from its bracket on.

    In ``{ a, b: c, d = f(x) }`` they are a, c and d: a name before a colon is a key, and names
    behind ``=``, up to the next comma of the same depth, are parts of a default value.
    """
    depth = reader.take().depth
    names: list[str] = []
    default_depth: int | None = None
    """The depth of the default value that is being skipped; None outside of one."""
    while True:
        token = reader.take()
        if token.kind == END:
            raise reader.unexpected(token)
        is_end_of_pattern = token.depth == depth
        if is_end_of_pattern:
            return names
        if default_depth is not None and token.depth <= default_depth:
            if token.text not in (",", "}", "]"):
                continue
            default_depth = None
        if default_depth is None:
            if token.text == "=":
                default_depth = token.depth
            elif token.kind == NAME and reader.token.text != ":":
                names.append(token.text)


def function_or_class_name(reader: TokenReader) -> str | None:
    """Return the name of the function or class that is declared here, None if none is.

    Nothing is read: the declaration stays in the script.
    """
    index = reader.index
    words = [token.text for token in reader.tokens[index : index + 4]]
    if words[:2] == ["async", "function"]:
        words = words[1:]
        index += 1
    if not words or words[0] not in ("function", "class"):
        return None
    index += 1
    is_generator = words[1:2] == ["*"]
    if is_generator:
        index += 1
    if index >= len(reader.tokens):
        return None
    name = reader.tokens[index]
    if name.kind != NAME or name.text == "extends":  # ``class extends a`` has no name
        return None
    return name.text
