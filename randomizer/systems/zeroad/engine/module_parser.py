"""Parses the imports and exports of a JavaScript module, and takes them out of its text.

    module = parse_module("maps/random/wild.js", 'import { a } from "b.js";\nexport let c = a;')
    module.imports      # {"b.js": [ImportedName("a", "a")]}
    module.exports      # {"c": "c"}
    module.body         # the text with blanks in place of ``import ...;`` and ``export``

Only the tokens of ``import`` and ``export`` statements are understood; all others are skipped. The
blanks keep the lines, so that the positions of faults are right. How modules are put together is
the subject of module_linking.py.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from randomizer.model.basics.caches import registered
from randomizer.model.basics.sized_cache import sized_cache
from randomizer.systems.zeroad.engine.exported_variables import with_setters
from randomizer.systems.zeroad.engine.faults import Frame, ScriptFailedError
from randomizer.systems.zeroad.engine.tokens import NAME, OTHER, TEXT, Token, text_at, tokens

ALL = "*"
"""The name that stands for a whole module, in ``import * as n`` and ``export *``."""

DEFAULT = "default"
"""The name of a default export."""

_END = "end"
"""The kind of the token that stands for the end of the text."""


class ImportedName(NamedTuple):
    """A name that a module imports from another; in ``{ a as b }`` they are a and b."""

    source_name: str
    """The name in the module that exports it; ``ALL`` for the whole module."""

    name: str
    """The name in the module that imports it."""


@dataclass
class Module:
    """A parsed module; names are as in the script.

    A *specifier* is the path by which a script names a module that it imports.
    """

    path: str

    imports: dict[str, list[ImportedName]] = field(default_factory=dict)
    """By specifier what is imported from that module; [] if only its code is run."""

    exports: dict[str, str] = field(default_factory=dict)
    """By exported name the expression that gives its value."""

    passed_on: list[str] = field(default_factory=list)
    """The specifiers of ``export * from``: all of their exports are exported."""

    first_uses: dict[str, Frame] = field(default_factory=dict)
    """By specifier where it stands first in the script."""

    changing_names: frozenset[str] = frozenset()
    """The exported variables that the module assigns to after their declaration."""

    body: str = ""
    """The text with ``import`` and ``export`` blanked out.

    Assignments to ``changing_names`` go to ``$set`` as well.
    """

    @property
    def specifiers(self) -> tuple[str, ...]:
        """The specifiers of the modules that it imports, in order."""
        return tuple(dict.fromkeys([*self.imports, *self.passed_on]))


def is_module(text: str) -> bool:
    """Return whether a script has an import or export statement."""
    if not re.search(r"\b(?:import|export)\b", text):
        return False
    token_list = list(tokens(text))
    return any(_is_statement(token_list, index) for index in range(len(token_list)))


@registered(bytes_a_unit=2.5)
@sized_cache(max_entries=512, max_size=1 << 19)
def parse_module(path: str, text: str) -> Module:
    """Return the module of a text, which is shared and must not be changed.

    Raises ScriptFailedError for an import or export statement that cannot be parsed.
    """
    return _Parser(path, text).module


def _is_statement(token_list: Sequence[Token], index: int) -> bool:
    """Return whether the token is the import or export that begins a statement."""
    token = token_list[index]
    if token.kind != NAME or token.depth or token.text not in ("import", "export"):
        return False
    if index and token_list[index - 1].text in (".", "?."):
        return False  # a property
    next_text = text_at(token_list, index + 1)
    if next_text in ("=", ":"):
        return False  # a key of an object, or a field of a class
    is_expression = token.text == "import" and next_text in ("(", ".")  # import(), import.meta
    return not is_expression


class _Parser:
    """Parses the import and export statements among the tokens of one module.

    All other statements are skipped, token by token. Methods read on from ``_index``.
    """

    def __init__(self, path: str, text: str) -> None:
        self.module = Module(path)
        self._text = text
        self._tokens = list(tokens(text))
        self._index = 0
        """The index of the next token."""
        self._pieces: list[str] = []
        """The parts of the body up to ``_position``."""
        self._position = 0
        """The offset in the text up to which the body is complete."""
        self._variables: set[str] = set()
        """The names that can be assigned to, declared by ``let`` or ``var``."""
        self._parse_statements()
        self._add_setters()

    def _parse_statements(self) -> None:
        """Parse all import and export statements; the module then has a body without them."""
        while self._index < len(self._tokens):
            if not _is_statement(self._tokens, self._index):
                self._index += 1
            elif self._token.text == "import":
                self._import()
            else:
                self._export()
        self.module.body = "".join([*self._pieces, self._text[self._position :]])

    def _add_setters(self) -> None:
        """Let exported variables be set for other modules where the body assigns to them."""
        for word, name in pairwise(self._tokens):
            if word.depth == 0 and word.text in ("let", "var"):
                self._variables.add(name.text)
        exported_variables = self._variables & set(self.module.exports.values())
        if exported_variables:
            body, changing_names = with_setters(self.module.body, exported_variables)
            self.module.body = body
            self.module.changing_names = changing_names

    @property
    def _token(self) -> Token:
        """The next token, one of the kind ``_END`` behind the last."""
        if self._index < len(self._tokens):
            return self._tokens[self._index]
        return Token(_END, "", len(self._text), 0)

    def _next(self) -> Token:
        """Return the next token and skip it."""
        token = self._token
        self._index += 1
        return token

    def _skip(self, text: str) -> bool:
        """Skip the next token if it is ``text``; return whether it was."""
        if self._token.text != text or self._token.kind == TEXT:
            return False
        self._index += 1
        return True

    def _frame_of(self, token: Token) -> Frame:
        """Return the place of a token in the script."""
        text_before = self._text[: token.start]
        line = text_before.count("\n") + 1
        column = token.start - text_before.rfind("\n")  # from 1, as rfind is -1 in the first line
        return Frame(self.module.path, line, column)

    def _fail(self, token: Token) -> ScriptFailedError:
        """Return the error for a token that cannot stand where it does, to be raised."""
        message = f"SyntaxError: Unexpected “{token.text}”"
        return ScriptFailedError("script-error", message, self._frame_of(token))

    def _name(self) -> str:
        """Read a name, which can be quoted in a list of imports or exports."""
        token = self._next()
        if token.kind == TEXT:
            return _string(token)
        if token.kind != NAME:
            raise self._fail(token)
        return token.text

    def _blank(self, start: int, end: int, replacement: str = "") -> None:
        """Replace a part of the text by ``replacement`` and blanks; its line ends stay."""
        hidden = self._text[start:end]
        line_ends = "".join(character for character in hidden if character in "\n\r")
        blanks = line_ends or " " * (len(hidden) - len(replacement))
        self._pieces += [self._text[self._position : start], replacement, blanks]
        self._position = end

    def _from(self) -> str:
        """Return the specifier behind ``from``; attributes behind it (``with``) are skipped."""
        token = self._next()
        if token.kind != TEXT:
            raise self._fail(token)
        self.module.first_uses.setdefault(_string(token), self._frame_of(token))
        if self._skip("with"):
            while not self._skip("}"):
                if self._next().kind == _END:
                    raise self._fail(self._token)
        return _string(token)

    def _end_statement(self, start: int) -> None:
        """Blank out a statement from its start to the token read last, with a semicolon."""
        self._skip(";")
        self._blank(start, self._tokens[self._index - 1].end)

    def _import(self) -> None:
        """Parse an import statement, one of these forms:

        import "m.js"; import d from "m.js"; import d, { a, b as c } from "m.js";
        import * as n from "m.js";
        """
        start = self._next().start
        imported_names: list[ImportedName] = []
        has_names = self._token.kind != TEXT
        if has_names:
            while True:
                if self._skip(ALL):
                    if not self._skip("as"):
                        raise self._fail(self._token)
                    imported_names.append(ImportedName(ALL, self._name()))
                elif self._token.text == "{":
                    imported_names += self._braces()
                else:
                    imported_names.append(ImportedName(DEFAULT, self._name()))
                if self._skip("from"):
                    break
                if not self._skip(","):
                    raise self._fail(self._token)
        self.module.imports.setdefault(self._from(), []).extend(imported_names)
        self._end_statement(start)

    def _braces(self) -> list[ImportedName]:
        """Return the names in ``{a, b as c}``: a as itself, and b as c."""
        self._next()
        pairs = list[ImportedName]()
        while not self._skip("}"):
            name = self._name()
            alias = name
            if self._skip("as"):
                alias = self._name()
            pairs.append(ImportedName(name, alias))
            if not self._skip(",") and self._token.text != "}":
                raise self._fail(self._token)
        return pairs

    def _export(self) -> None:
        """Parse an export statement, whose kind follows from the word behind ``export``."""
        export = self._next()
        word = self._token
        if self._skip(ALL):
            self._export_all()
            self._end_statement(export.start)
        elif word.text == "{":
            self._export_list()
            self._end_statement(export.start)
        elif self._skip(DEFAULT):
            self._export_default(export, word)
        elif word.text in ("let", "const", "var"):
            self._export_variables(export, can_change=word.text != "const")
        else:
            name = self._declared_name()
            if not name:
                raise self._fail(word)
            self.module.exports[name] = name
            self._blank(export.start, export.end)

    def _export_all(self) -> None:
        """Parse ``export * from "m.js"``, or ``export * as n from "m.js"``, behind the star."""
        alias = ""
        if self._skip("as"):
            alias = self._name()
        if not self._skip("from"):
            raise self._fail(self._token)
        specifier = self._from()
        if alias:
            self._pass_on(specifier, ALL, alias)
        else:
            self.module.passed_on.append(specifier)

    def _export_list(self) -> None:
        """Parse ``export { a, b as c }``, or the same with ``from "m.js"``, from the brace on."""
        pairs = self._braces()
        if self._skip("from"):
            specifier = self._from()
            for source_name, name in pairs:
                self._pass_on(specifier, source_name, name)
        else:
            self.module.exports.update({name: source_name for source_name, name in pairs})

    def _export_default(self, export: Token, word: Token) -> None:
        """Parse ``export default``; an expression, which has no name, becomes a constant."""
        name = self._declared_name()
        if name:
            self.module.exports[DEFAULT] = name
            self._blank(export.start, word.end)
        else:
            self.module.exports[DEFAULT] = "$default"
            self._blank(export.start, word.end, "const $default=")

    def _export_variables(self, export: Token, *, can_change: bool) -> None:
        """Parse ``export let a = 1, b;`` from the word ``let``, ``var`` or ``const`` on."""
        self._blank(export.start, export.end)
        self._next()
        names = self._declarations()
        self.module.exports.update({name: name for name in names})
        if can_change:
            self._variables.update(names)

    def _pass_on(self, specifier: str, source_name: str, name: str) -> None:
        """Export a name of another module: ``export { source_name as name } from "m.js"``."""
        # The value is read from the variable ``$m0``, ``$m1`` ... that the head has for each module
        # that is imported (``module_linking.head_of``), so this one must be among them.
        self.module.imports.setdefault(specifier, [])
        number = list(self.module.imports).index(specifier)
        module_variable = f"$m{number}"
        if source_name == ALL:
            self.module.exports[name] = module_variable
        else:
            self.module.exports[name] = f"{module_variable}[{json.dumps(source_name)}]"

    def _declared_name(self) -> str:
        """Return the name of the function or class declared here; "" if there is none.

        Nothing is read: the declaration stays in the body.
        """
        index = self._index
        words = [token.text for token in self._tokens[index : index + 4]]
        if words[:2] == ["async", "function"]:
            words = words[1:]
            index += 1
        if not words or words[0] not in ("function", "class"):
            return ""
        index += 1
        is_generator = words[1:2] == ["*"]
        if is_generator:
            index += 1
        if index >= len(self._tokens):
            return ""
        name = self._tokens[index]
        if name.kind == NAME and name.text != "extends":
            return name.text
        return ""

    def _declarations(self) -> list[str]:
        """Read to the end of a ``let``, ``const`` or ``var``; return the names it declares."""
        names: list[str] = []
        while True:
            if self._token.text in ("[", "{"):
                names += self._pattern()
            else:
                names.append(self._name())
            if not self._skip_to_next_declaration():
                return names

    def _skip_to_next_declaration(self) -> bool:
        """Skip the value of a variable and the comma behind it; False at the end of the statement.

        Commas in brackets are parts of the value: their tokens have a greater depth.
        """
        previous = self._tokens[self._index - 1]
        while True:
            token = self._token
            if token.kind == _END or (token.depth == 0 and token.text == ";"):
                return False
            if token.depth == 0 and self._begins_statement(previous, token):
                return False
            self._index += 1
            if token.depth == 0 and token.text == "," and token.kind != TEXT:
                return True
            previous = token

    def _begins_statement(self, previous: Token, token: Token) -> bool:
        """Return whether JavaScript puts a semicolon between two tokens of two lines."""
        is_on_next_line = "\n" in self._text[previous.end : token.start]
        if not is_on_next_line or token.kind != NAME:
            return False
        has_value_ended = previous.kind != OTHER or previous.text in (")", "]", "}")
        return has_value_ended and token.text not in ("in", "instanceof")

    def _pattern(self) -> list[str]:
        """Return the names that a destructuring pattern declares, from its bracket on.

        In ``{ a, b: c, d = f(x) }`` they are a, c and d: a name before a colon is a key, and names
        behind ``=``, up to the next comma of the same depth, are parts of a default value.
        """
        depth = self._next().depth
        names: list[str] = []
        default_depth: int | None = None
        """The depth of the default value that is being skipped; None outside of one."""
        while True:
            token = self._next()
            if token.kind == _END:
                raise self._fail(token)
            if token.depth == depth:
                return names
            if default_depth is not None and token.depth <= default_depth:
                if token.text not in (",", "}", "]"):
                    continue
                default_depth = None
            if default_depth is None:
                if token.text == "=":
                    default_depth = token.depth
                elif token.kind == NAME and self._token.text != ":":
                    names.append(token.text)


def _string(token: Token) -> str:
    """Return the value of a quoted text; escapes do not occur in paths and names."""
    return token.text[1:-1]
