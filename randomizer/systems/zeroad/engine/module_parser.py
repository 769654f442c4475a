"""Parses the imports and exports of a JavaScript module, and takes them out of its text.

    module = parse_module("maps/random/wild.js", 'import { a } from "b.js";\nexport let c = a;')
    module.imports      # {"b.js": [ImportedName("a", "a")]}
    module.exports      # {"c": "c"}
    module.body         # "                        \n       let c = a;"

Only the tokens of ``import`` and ``export`` statements are understood; all others are skipped. The
blanks in their place keep the lines, so that the positions of faults are right. How modules are put
together is the subject of module_linking.py.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from randomizer.model.basics.caches import registered
from randomizer.model.basics.sized_cache import sized_cache
from randomizer.systems.zeroad.engine.declared_names import (
    function_or_class_name,
    read_variable_names,
    words_before_name,
)
from randomizer.systems.zeroad.engine.exported_variables import with_setters
from randomizer.systems.zeroad.engine.faults import Frame
from randomizer.systems.zeroad.engine.token_reader import END, TokenReader, string_of
from randomizer.systems.zeroad.engine.tokens import NAME, TEXT, Token, text_at, tokens

ALL = "*"
"""The name that stands for a whole module, in ``import * as n`` and ``export *``."""

DEFAULT = "default"
"""The name of a default export."""

DEFAULT_VALUE = "$default"
"""The constant with the value of a default export that has no name."""


class Origin(NamedTuple):
    """The module from which a module has a name that it exports itself."""

    specifier: str

    name: str
    """The name in that module."""


class ImportedName(NamedTuple):
    """A name that a module imports from another; in ``{ a as b }`` they are a and b."""

    source_name: str
    """The name in the module that exports it; ``ALL`` for the whole module."""

    name: str
    """The name in the module that imports it."""


@dataclass(frozen=True)
class Module:
    """A parsed module; names are as in the script.

    A *specifier* is the path by which a script names a module that it imports.
    """

    path: str
    """The path of the script."""

    imports: dict[str, list[ImportedName]]
    """By specifier what is imported from that module; [] if only its code is run."""

    exports: dict[str, str]
    """By exported name the expression that gives its value."""

    origins: dict[str, Origin]
    """By exported name where it comes from; without names that the module declares itself."""

    passed_on: list[str]
    """The specifiers of ``export * from``: all of their exports are exported."""

    first_uses: dict[str, Frame]
    """By specifier where it stands first in the script."""

    changing_names: frozenset[str]
    """The exported variables that the module assigns to after their declaration."""

    body: str
    """The text with ``import`` and ``export`` blanked out.

    Assignments to ``changing_names`` go to ``$set`` as well.
    """

    @property
    def specifiers(self) -> tuple[str, ...]:
        """The specifiers of the modules that it imports, in order."""
        return tuple(dict.fromkeys([*self.imports, *self.passed_on]))


def module_variable(number: int) -> str:
    """Return the variable that holds the exports of the imported module with this number.

    The modules are counted in the order of ``Module.imports``.
    """
    return f"$m{number}"


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
    return _Parser(path, text).module()


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


def _first_declared_names(token_list: Sequence[Token]) -> set[str]:
    """Return the names right behind a ``let`` or ``var`` that is in no brackets.

    Further names of the same declaration, and those of patterns, are not found: they are not known
    to change.
    """
    names = set[str]()
    for word, name in pairwise(token_list):
        if word.depth == 0 and word.text in ("let", "var") and name.kind == NAME:
            names.add(name.text)
    return names


class _BlankedText:
    """A text of which some parts, in their order, are replaced by blanks."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._pieces: list[str] = []
        """The new text, in pieces, up to ``_position``."""
        self._position = 0
        """The offset in the old text up to which the new one is complete."""

    def blank(self, start: int, end: int, replacement: str = "") -> None:
        """Replace a part of the text by ``replacement`` and blanks.

        In one line the length stays, and so do the columns behind it. Of several lines only the
        line ends stay.
        """
        hidden = self._text[start:end]
        line_ends = "".join(character for character in hidden if character in "\n\r")
        blanks = line_ends or " " * (len(hidden) - len(replacement))
        self._pieces += [self._text[self._position : start], replacement, blanks]
        self._position = end

    def finished(self) -> str:
        """Return the whole text."""
        return "".join([*self._pieces, self._text[self._position :]])


class _Parser:
    """Parses the import and export statements of one module; ``module`` is called once."""

    def __init__(self, path: str, text: str) -> None:
        self._path = path
        self._reader = TokenReader(path, text)
        """The tokens of the module. All methods read on from its position."""
        self._body = _BlankedText(text)
        """The text without the statements that were parsed so far."""
        # What these statements say, as in ``Module``.
        self._imports: dict[str, list[ImportedName]] = {}
        self._exports: dict[str, str] = {}
        self._origins: dict[str, Origin] = {}
        self._passed_on: list[str] = []
        self._first_uses: dict[str, Frame] = {}
        self._exported_variables: set[str] = set()
        """The names that ``export let`` and ``export var`` declare."""

    def module(self) -> Module:
        """Return the module. Raises ScriptFailedError for a statement that cannot be parsed."""
        reader = self._reader
        while reader.token.kind != END:
            if not _is_statement(reader.tokens, reader.index):
                reader.read()
            elif reader.token.text == "import":
                self._import()
            else:
                self._export()

        # Let exported variables be set for other modules where the body assigns to them.
        body = self._body.finished()
        changing_names = frozenset[str]()
        variables = self._exported_variables | _first_declared_names(reader.tokens)
        exported_variables = variables & set(self._exports.values())
        if exported_variables:
            rewritten = with_setters(body, exported_variables)
            body = rewritten.text
            changing_names = rewritten.changing_names
        self._note_origins()
        return Module(
            path=self._path,
            imports=self._imports,
            exports=self._exports,
            origins=self._origins,
            passed_on=self._passed_on,
            first_uses=self._first_uses,
            changing_names=changing_names,
            body=body,
        )

    def _note_origins(self) -> None:
        """Note the origins of names that the module imports in one statement, exports in another.

        Those of ``export { a } from "m.js"`` are noted already.
        """
        origin_by_variable = {}
        for specifier, imported_names in self._imports.items():
            for source_name, name in imported_names:
                if source_name != ALL:
                    origin_by_variable[name] = Origin(specifier, source_name)
        for name, value in self._exports.items():
            if value in origin_by_variable:
                self._origins[name] = origin_by_variable[value]

    def _read_specifier(self) -> str:
        """Read a specifier, behind ``from`` or ``import``, and note where it stands first.

        Attributes behind it (``with``) are skipped.
        """
        token = self._reader.read()
        if token.kind != TEXT:
            raise self._reader.unexpected(token)
        self._first_uses.setdefault(string_of(token), self._reader.frame_of(token))
        if self._reader.skip("with"):
            while not self._reader.skip("}"):
                if self._reader.read().kind == END:
                    raise self._reader.unexpected(self._reader.token)
        return string_of(token)

    def _import(self) -> None:
        """Parse an import statement, one of these forms:

        import "m.js"; import d from "m.js"; import d, { a, b as c } from "m.js";
        import * as n from "m.js";
        """
        start = self._reader.read().start
        imported_names: list[ImportedName] = []
        has_names = self._reader.token.kind != TEXT
        if has_names:
            while True:
                if self._reader.skip(ALL):
                    if not self._reader.skip("as"):
                        raise self._reader.unexpected(self._reader.token)
                    imported_names.append(ImportedName(ALL, self._reader.read_name()))
                elif self._reader.token.text == "{":
                    imported_names += self._braces()
                else:
                    imported_names.append(ImportedName(DEFAULT, self._reader.read_name()))
                if self._reader.skip("from"):
                    break
                if not self._reader.skip(","):
                    raise self._reader.unexpected(self._reader.token)
        self._imports.setdefault(self._read_specifier(), []).extend(imported_names)
        self._end_statement(start)

    def _braces(self) -> list[ImportedName]:
        """Return the names in ``{a, b as c}``: a as itself, and b as c."""
        self._reader.read()  # the brace
        pairs = list[ImportedName]()
        while not self._reader.skip("}"):
            name = self._reader.read_name()
            alias = name
            if self._reader.skip("as"):
                alias = self._reader.read_name()
            pairs.append(ImportedName(name, alias))
            if not self._reader.skip(",") and self._reader.token.text != "}":
                raise self._reader.unexpected(self._reader.token)
        return pairs

    def _export(self) -> None:
        """Parse an export statement, whose kind follows from the word behind ``export``."""
        export = self._reader.read()
        word = self._reader.token
        if self._reader.skip(ALL):
            self._export_all()
            self._end_statement(export.start)
        elif word.text == "{":
            self._export_list()
            self._end_statement(export.start)
        elif self._reader.skip(DEFAULT):
            self._export_default(export, word)
        elif word.text in ("let", "const", "var"):
            self._export_variables(export, can_change=word.text != "const")
        else:
            name = function_or_class_name(self._reader)
            if name is None:
                raise self._reader.unexpected(word)
            self._exports[name] = name
            self._body.blank(export.start, export.end)

    def _export_all(self) -> None:
        """Parse ``export * from "m.js"``, or ``export * as n from "m.js"``, behind the star."""
        alias: str | None = None
        if self._reader.skip("as"):
            alias = self._reader.read_name()
        if not self._reader.skip("from"):
            raise self._reader.unexpected(self._reader.token)
        specifier = self._read_specifier()
        if alias is not None:
            self._pass_on(specifier, ALL, alias)
        else:
            self._passed_on.append(specifier)

    def _export_list(self) -> None:
        """Parse ``export { a, b as c }``, or the same with ``from "m.js"``, from the brace on."""
        pairs = self._braces()
        if self._reader.skip("from"):
            specifier = self._read_specifier()
            for source_name, name in pairs:
                self._pass_on(specifier, source_name, name)
        else:
            self._exports.update({name: source_name for source_name, name in pairs})

    def _export_default(self, export: Token, word: Token) -> None:
        """Parse ``export default``; an expression, which has no name, becomes a constant."""
        name = function_or_class_name(self._reader)
        if name is not None:
            self._exports[DEFAULT] = name
            self._body.blank(export.start, word.end)
            return

        self._exports[DEFAULT] = DEFAULT_VALUE
        first_words = words_before_name(self._reader)
        if first_words:
            # A function or class without a name gets one. As a constant it would need a semicolon
            # behind it, and would not be there before its line.
            declaration = " ".join([*(token.text for token in first_words), DEFAULT_VALUE])
            self._body.blank(export.start, first_words[-1].end, declaration)
        else:
            self._body.blank(export.start, word.end, f"const {DEFAULT_VALUE}=")

    def _export_variables(self, export: Token, *, can_change: bool) -> None:
        """Parse ``export let a = 1, b;`` from the word ``let``, ``var`` or ``const`` on."""
        self._body.blank(export.start, export.end)
        self._reader.read()
        for name in read_variable_names(self._reader):
            self._exports[name] = name
            if can_change:
                self._exported_variables.add(name)

    def _pass_on(self, specifier: str, source_name: str, name: str) -> None:
        """Export a name of another module: ``export { source_name as name } from "m.js"``."""
        # The value is read from the variable that the head has for each module that is imported
        # (``module_linking.head_of``), so this one must be among them.
        self._imports.setdefault(specifier, [])
        variable = module_variable(list(self._imports).index(specifier))
        if source_name == ALL:
            self._exports[name] = variable
        else:
            self._exports[name] = f"{variable}[{json.dumps(source_name)}]"
            self._origins[name] = Origin(specifier, source_name)

    def _end_statement(self, start: int) -> None:
        """Blank out a statement from its start to the token read last, with a semicolon."""
        self._reader.skip(";")
        self._body.blank(start, self._reader.last_token.end)
