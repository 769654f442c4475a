"""Finds the names that a declaration in a script declares.

    let a = f(x, y), { b, c: d } = g;           read_variable_names: a, b, d
    async function* e() { ... }                 function_or_class_name: e

Values are skipped without being understood: a comma within brackets has a greater depth than the
comma before the next variable.
"""

from __future__ import annotations

from randomizer.systems.zeroad.engine.token_reader import END, TokenReader
from randomizer.systems.zeroad.engine.tokens import NAME, OTHER, Token


def read_variable_names(reader: TokenReader) -> list[str]:
    """Read the rest of a ``let``, ``const`` or ``var``, and return the names that it declares.

    The next token is the one behind that word. Raises ScriptFailedError for what is no name.
    """
    names: list[str] = []
    while True:
        if reader.token.text in ("[", "{"):
            names += _names_in_pattern(reader)
        else:
            names.append(reader.read_name())
        if not _skip_to_next_variable(reader):
            return names


def _skip_to_next_variable(reader: TokenReader) -> bool:
    """Skip the value of a variable and the comma behind it; False at the end of the statement."""
    while True:
        token = reader.token
        is_outside_brackets = token.depth == 0
        # A text in quotes has them in its token, so it is never equal to one of these characters.
        if token.kind == END or (is_outside_brackets and token.text == ";"):
            return False
        if is_outside_brackets and _begins_statement(reader, reader.last_token, token):
            return False
        reader.read()
        if is_outside_brackets and token.text == ",":
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
    behind ``=``, up to the next comma of the same depth, are parts of a default value. A key can
    also be computed: ``{ [f(x)]: e }`` declares e.
    """
    names: list[str] = []
    open_brackets = [reader.read().text]  # those of the pattern around the next token
    while open_brackets:
        previous = reader.last_token
        token = reader.read()
        if token.kind == END:
            raise reader.unexpected(token)
        if token.text == "=":
            _skip_default(reader, token.depth)
        elif token.text in ("[", "{"):
            begins_entry = open_brackets[-1] == "{" and previous.text in ("{", ",")
            if token.text == "[" and begins_entry:
                _skip_computed_key(reader, token.depth)
            else:
                open_brackets.append(token.text)
        elif token.text in ("]", "}"):
            open_brackets.pop()
        elif token.kind == NAME and reader.token.text != ":":
            names.append(token.text)
    return names


def _skip_default(reader: TokenReader, depth: int) -> None:
    """Skip a default value in a pattern; ``depth`` is the number of brackets around it.

    It ends before the next comma of this depth, or before the bracket that ends the pattern.
    """
    while reader.token.kind != END:
        token = reader.token
        is_outside_brackets = token.depth <= depth
        if is_outside_brackets and token.text in (",", "]", "}"):
            # The closing bracket of an object in the value has this depth as well.
            is_end_of_pattern = token.depth < depth
            if token.text == "," or is_end_of_pattern:
                return
        reader.read()


def _skip_computed_key(reader: TokenReader, depth: int) -> None:
    """Skip the rest of a computed key, whose bracket was taken and has this depth."""
    while reader.token.depth > depth and reader.token.kind != END:
        reader.read()
    reader.read()  # the closing bracket


def function_or_class_name(reader: TokenReader) -> str | None:
    """Return the name of the function or class that is declared here, None if none is.

    Nothing is read: the declaration stays in the script.
    """
    words = words_before_name(reader)
    index = reader.index + len(words)
    if not words or index >= len(reader.tokens):
        return None
    name = reader.tokens[index]
    if name.kind != NAME or name.text == "extends":  # ``class extends a`` has no name
        return None
    return name.text


def words_before_name(reader: TokenReader) -> list[Token]:
    """Return the tokens before the name of a function or class: ``async``, ``function``, ``*``.

    They are the next ones, which are not read. The list is empty if none is declared here.
    """
    words = reader.tokens[reader.index : reader.index + 3]
    texts = [token.text for token in words]
    if texts[:1] == ["class"]:
        return words[:1]
    count = 1
    if texts[:1] == ["async"]:
        count = 2
    if texts[count - 1 : count] != ["function"]:
        return []
    is_generator = texts[count : count + 1] == ["*"]
    if is_generator:
        count += 1
    return words[:count]
