"""ES modules as functions: the imports and exports of a script, and its text without either.

    module = parse_module("maps/random/wild.js", text)
    source = head_of(module, modules, circular) + module.body + TAIL

V8 runs here without modules. A module becomes the body of a strict function of ``$exports``,
``$from`` and ``$set``, which the host's JavaScript provides. ``import`` and ``export`` statements
are blanked out, so that faults keep their lines; what they do is written into the head, in the
first line. For

    import { a } from "b.js";
    export let c = a;

the head has ``$from.give($exports, "c", () => c)`` and ``const a = $from.take("b.js", "a")``. An
exported name is a getter of the variable. An imported name is a constant; where modules import each
other, or a module changes what it exports, it is a variable that is set again (``$from.late``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from randomizer.model.basics.caches import registered
from randomizer.model.basics.sized_cache import sized_cache
from randomizer.systems.zeroad.engine.faults import Frame, ScriptFailedError
from randomizer.systems.zeroad.engine.tokens import NAME, TEXT, Token, ends_value, tokens

TAIL = "\n})"
"""The end of a module's function, behind its body."""

ALL = "*"
"""The name that stands for a whole module, in ``import * as n`` and ``export *``."""
DEFAULT = "default"
"""The name of a default export."""


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
    """By specifier what is imported from that module."""
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


def head_of(module: Module, modules: Mapping[str, Module], circular: Sequence[str]) -> str:
    """Return the beginning of a module's function, one line that its body follows.

    ``modules`` are all modules by specifier. ``circular`` are the specifiers of imported modules
    that import this one in turn: at the time of the import they have no values yet.
    """
    head = ['(function ($exports, $from, $set) { "use strict"; ']
    for name, value in module.exports.items():
        head.append(f"$from.give($exports, {json.dumps(name)}, () => {value}); ")
    for specifier in module.passed_on:
        head.append(f"$from.pass($exports, {json.dumps(specifier)}); ")
    for number, (specifier, imported_names) in enumerate(module.imports.items()):
        module_variable = f"$m{number}"
        quoted = json.dumps(specifier)
        head.append(f"const {module_variable} = $from({quoted}); ")
        source = modules.get(specifier)
        for source_name, name in imported_names:
            if source_name == ALL:
                head.append(f"const {name} = {module_variable}; ")
                continue
            value = f"$from.take({quoted}, {json.dumps(source_name)})"
            can_change = specifier in circular
            if source is not None and source.exports.get(source_name) in source.changing_names:
                can_change = True
            if can_change:
                head.append(f"let {name}; $from.late({quoted}, () => {{ {name} = {value}; }}); ")
            else:
                head.append(f"const {name} = {value}; ")
    return "".join(head)


def check_names(modules: Mapping[str, Module]) -> None:
    """Raise ScriptFailedError for a name that a module imports from another that lacks it."""
    for module in modules.values():
        for specifier, imported_names in module.imports.items():
            source_names = {imported.source_name for imported in imported_names} - {ALL}
            missing_names = source_names - _exported_names(modules, specifier)
            if missing_names:
                message = f"SyntaxError: the module {specifier} exports no {min(missing_names)}"
                raise ScriptFailedError("script-error", message, module.first_uses[specifier])


def _exported_names(modules: Mapping[str, Module], specifier: str) -> set[str]:
    """Return the names that a module exports, also those passed on from other modules.

    JavaScript does not pass on the default export.
    """
    names = set(modules[specifier].exports)
    visited = {specifier}
    queue = [specifier]
    while queue:
        for source in modules[queue.pop()].passed_on:
            if source not in visited:
                visited.add(source)
                queue.append(source)
                names.update(modules[source].exports.keys() - {DEFAULT})
    return names


def circular_imports(modules: Mapping[str, Module]) -> dict[str, tuple[str, ...]]:
    """Return by specifier those modules that a module imports and that import it in turn.

    They need not do so directly.
    """
    reachable = {specifier: _imported_from(modules, specifier) for specifier in modules}
    circular = {}
    for specifier, module in modules.items():
        circular[specifier] = tuple(
            imported for imported in module.specifiers if specifier in reachable.get(imported, ())
        )
    return circular


def _imported_from(modules: Mapping[str, Module], specifier: str) -> set[str]:
    """Return the specifiers of all modules that a module imports, directly or by others."""
    specifiers = set[str]()
    queue = [specifier]
    while queue:
        for imported in modules[queue.pop()].specifiers:
            if imported not in specifiers and imported in modules:
                specifiers.add(imported)
                queue.append(imported)
    return specifiers


def _is_statement(token_list: Sequence[Token], index: int) -> bool:
    """Return whether the token is the import or export that begins a statement."""
    token = token_list[index]
    if token.kind != NAME or token.depth or token.text not in ("import", "export"):
        return False
    if index and token_list[index - 1].text in (".", "?."):
        return False  # a property
    next_text = _text_at(token_list, index + 1)
    if next_text in ("=", ":"):
        return False  # a key of an object, or a field of a class
    is_expression = token.text == "import" and next_text in ("(", ".")  # import(), import.meta
    return not is_expression


def _text_at(token_list: Sequence[Token], index: int) -> str:
    """Return the text of a token; "" before the first and behind the last one."""
    if 0 <= index < len(token_list):
        return token_list[index].text
    return ""


# --- exported variables that change --------------------------------------------------------------


_ASSIGNS = re.compile(r"\s*(?:\*\*|<<|>>>?|&&|\|\||\?\?|[-+*/%&|^])?=(?![=>])")
"""An assignment operator such as ``=``, ``+=`` or ``??=``, but no comparison and no arrow."""

_STEPS = ("++", "--")


def _with_setters(body: str, names: AbstractSet[str]) -> tuple[str, frozenset[str]]:
    """Return a module's text in which assignments to some names call ``$set``.

    The second result is those of ``names`` that are assigned to. ``a = 1`` becomes
    ``$set.a=a = 1`` and ``a++`` becomes ``$set.a(a++)``. Declarations, destructuring, parameters
    and what could be one are no assignments. The text that is put in begins with a name, so that a
    line before it without a semicolon ends where it did.
    """
    token_list = list(tokens(body))
    changing_names = set[str]()
    pieces = list[str]()
    position = 0
    for index, token in enumerate(token_list):
        if token.kind != NAME or token.text not in names:
            continue
        setter = _setter_at(body, token_list, index)
        if setter is not None:
            changing_names.add(token.text)
            pieces += [body[position : setter.start], setter.text]
            position = setter.end
    return "".join([*pieces, body[position:]]), frozenset(changing_names)


@dataclass(frozen=True)
class _Setter:
    """A text that replaces a part of a module's text."""

    start: int
    end: int
    text: str


def _setter_at(body: str, token_list: Sequence[Token], index: int) -> _Setter | None:
    """Return the setter for the name at ``index``, None if nothing is assigned to it there."""
    token = token_list[index]
    name = token.text
    text_before = _text_at(token_list, index - 1)
    text_after = _text_at(token_list, index + 1)
    if (
        text_before in _STEPS
        and ends_value(token_list[index - 2])
        and _are_on_one_line(body, token_list, index - 2)
    ):
        text_before = ""  # in "a ++ b" the step belongs to a

    # A property or a declaration, "a++", "++a", and last "a = ...".
    if text_before in (".", "?.", "let", "const", "var", "function", "class"):
        return None
    if text_after in _STEPS and _are_on_one_line(body, token_list, index):
        end = token_list[index + 1].end
        return _Setter(token.start, end, f"$set.{name}({name}{text_after})")
    if text_before in _STEPS and text_after not in (".", "?.", "[", "("):
        start = token_list[index - 1].start
        return _Setter(start, token.end, f"$set.{name}({text_before}{name})")
    assigns = _ASSIGNS.match(body, token.end)
    if assigns is None:
        return None
    is_perhaps_parameter = text_before in ("(", ",") and assigns[0].strip() == "="
    if is_perhaps_parameter:
        return None
    return _Setter(token.start, token.end, f"$set.{name}={name}")


def _are_on_one_line(body: str, token_list: Sequence[Token], index: int) -> bool:
    """Return whether a token and the next one exist and are on one line.

    JavaScript takes ``a`` and ``++`` on two lines for two statements.
    """
    if index < 0 or index + 1 >= len(token_list):
        return False
    return "\n" not in body[token_list[index].end : token_list[index + 1].start]


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
            body, changing_names = _with_setters(self.module.body, exported_variables)
            self.module.body = body
            self.module.changing_names = changing_names

    @property
    def _token(self) -> Token:
        """The next token, one of the kind "end" behind the last."""
        if self._index < len(self._tokens):
            return self._tokens[self._index]
        return Token("end", "", len(self._text), 0)

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
                if self._next().kind == "end":
                    raise self._fail(self._token)
        return _string(token)

    def _end_statement(self, start: int) -> None:
        """Blank out a statement from its start to the token read last, with a semicolon."""
        self._skip(";")
        self._blank(start, self._tokens[self._index - 1].end)

    def _import(self) -> None:
        """Parse an import statement:

        import "m.js"; import d from "m.js"; import d, { a, b as c } from "m.js";
        import * as n from "m.js";
        """
        start = self._next().start
        imported_names: list[ImportedName] = []
        if self._token.kind != TEXT:
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
        """Export a name of another module: ``export { source_name as name } from "m.js"``.

        Its value is read from the variable of that module, so the module counts as imported.
        """
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
            if token.kind == "end" or (token.depth == 0 and token.text == ";"):
                return False
            if token.depth == 0 and self._begins_statement(previous, token):
                return False
            self._index += 1
            if token.depth == 0 and token.text == "," and token.kind != TEXT:
                return True
            previous = token

    def _begins_statement(self, previous: Token, token: Token) -> bool:
        """Return whether JavaScript puts a semicolon between two tokens of two lines."""
        if "\n" not in self._text[previous.end : token.start] or token.kind != NAME:
            return False
        value_ended = previous.kind != "other" or previous.text in (")", "]", "}")
        return value_ended and token.text not in ("in", "instanceof")

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
            if token.kind == "end":
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
