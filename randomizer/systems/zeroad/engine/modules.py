"""ES modules as functions: what a script imports and exports, and its text without either.

V8 runs here without modules. A module becomes the body of a strict function of ``$exports``,
``$from`` and ``$set``; its lines stay where they are. Exported names are getters. Imported ones are
constants, or variables that follow where modules import each other or change what they export.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import pairwise

from randomizer.model.basics.caches import registered
from randomizer.model.basics.sized_cache import sized_cache
from randomizer.systems.zeroad.engine.faults import Frame, ScriptFailedError
from randomizer.systems.zeroad.engine.tokens import NAME, TEXT, Token, ends_value, tokens

TAIL = "\n})"
ALL = "*"
DEFAULT = "default"


@dataclass
class Module:
    """A module; texts of names are as in the script.

    ``imports``: by specifier the pairs (name there, name here), ALL for the whole module.
    ``places``: where each specifier stands first.
    ``exports``: by name the expression that gives the value; ``passed_on``: specifiers whose
    exports are all exported. ``body`` is the text with ``import`` and ``export`` blanked out, in
    which assignments to the exported names ``changing`` go to ``$set`` as well.
    """

    path: str
    imports: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    exports: dict[str, str] = field(default_factory=dict)
    passed_on: list[str] = field(default_factory=list)
    places: dict[str, Frame] = field(default_factory=dict)
    changing: frozenset[str] = frozenset()
    body: str = ""

    @property
    def specifiers(self) -> tuple[str, ...]:
        """The modules that it imports, in order."""
        return tuple(dict.fromkeys([*self.imports, *self.passed_on]))


def is_module(text: str) -> bool:
    """Return whether a script has an import or export statement."""
    if not re.search(r"\b(?:import|export)\b", text):
        return False
    token_list = list(tokens(text))
    return any(_is_statement(token_list, at) for at in range(len(token_list)))


@registered(bytes_a_unit=2.5)
@sized_cache(most=512, size=1 << 19)
def parse_module(path: str, text: str) -> Module:
    """Return the module of a text, not to be changed; ScriptFailedError for what cannot be
    understood.
    """
    return _Parser(path, text).module


def head_of(module: Module, modules: Mapping[str, Module], circular: Sequence[str]) -> str:
    """Return what comes before a module's body, in its first line; ``TAIL`` comes after it.

    ``circular`` are the specifiers of modules that import it.
    """
    head = ['(function ($exports, $from, $set) { "use strict"; ']
    for name, value in module.exports.items():
        head.append(f"$from.give($exports, {json.dumps(name)}, () => {value}); ")
    for specifier in module.passed_on:
        head.append(f"$from.pass($exports, {json.dumps(specifier)}); ")
    for number, (specifier, pairs) in enumerate(module.imports.items()):
        source = f"$m{number}"
        quoted = json.dumps(specifier)
        head.append(f"const {source} = $from({quoted}); ")
        for source_name, here in pairs:
            if source_name == ALL:
                head.append(f"const {here} = {source}; ")
                continue
            value = f"$from.take({quoted}, {json.dumps(source_name)})"
            imported = modules.get(specifier)
            if specifier in circular or (
                imported and imported.exports.get(source_name) in imported.changing
            ):
                head.append(f"let {here}; $from.late({quoted}, () => {{ {here} = {value}; }}); ")
            else:
                head.append(f"const {here} = {value}; ")
    return "".join(head)


def check_names(modules: Mapping[str, Module]) -> None:
    """Raise ScriptFailedError for a name that a module imports from another that lacks it."""

    def exported(start: str) -> set[str]:
        exported_names = set(modules[start].exports)
        seen = {start}
        waiting = [start]
        while waiting:
            for path in modules[waiting.pop()].passed_on:
                if path not in seen:
                    seen.add(path)
                    waiting.append(path)
                    exported_names.update(modules[path].exports.keys() - {DEFAULT})
        return exported_names

    for module in modules.values():
        for specifier, pairs in module.imports.items():
            lacking = {source_name for source_name, _here in pairs} - {ALL} - exported(specifier)
            if lacking:
                message = f"SyntaxError: the module {specifier} exports no {min(lacking)}"
                raise ScriptFailedError("script-error", message, module.places[specifier])


def circular_imports(modules: Mapping[str, Module]) -> dict[str, tuple[str, ...]]:
    """By path the specifiers of those imported modules that also, in the end, import it."""

    def reached(start: str) -> set[str]:
        importers = set()
        waiting = [start]
        while waiting:
            for path in modules[waiting.pop()].specifiers:
                if path not in importers and path in modules:
                    importers.add(path)
                    waiting.append(path)
        return importers

    reachable = {path: reached(path) for path in modules}
    return {
        path: tuple(
            specifier for specifier in module.specifiers if path in reachable.get(specifier, ())
        )
        for path, module in modules.items()
    }


def _is_statement(token_list: Sequence[Token], at: int) -> bool:
    """Return whether the token is the import or export that begins a statement."""
    token = token_list[at]
    if token.kind != NAME or token.depth or token.text not in ("import", "export"):
        return False
    if at and token_list[at - 1].text in (".", "?."):
        return False
    if at + 1 < len(token_list):
        following = token_list[at + 1].text
    else:
        following = ""
    return not (token.text == "import" and following in ("(", ".")) and following not in ("=", ":")


_ASSIGNS = re.compile(r"\s*(?:\*\*|<<|>>>?|&&|\|\||\?\?|[-+*/%&|^])?=(?![=>])")


def _with_setters(body: str, names: AbstractSet[str]) -> tuple[str, frozenset[str]]:
    """Return a module's text in which assignments to ``names`` tell of it, and the names assigned
    to.

    Declarations, destructuring, parameters and what could be one are no assignments. What is put in
    begins with a name, so that a line before it without a semicolon ends where it did.
    """
    token_list = list(tokens(body))
    changing = set()
    pieces = []
    done = 0

    def joined(first: int, second: int) -> bool:
        """Return whether two tokens are there, on one line: ``a ++`` on two is two statements."""
        if first < 0 or second >= len(token_list):
            return False
        return "\n" not in body[token_list[first].end : token_list[second].start]

    for at, token in enumerate(token_list):
        if token.kind != NAME or token.text not in names:
            continue
        text_before = token_list[at - 1].text if at else ""
        if at + 1 < len(token_list):
            text_after = token_list[at + 1].text
        else:
            text_after = ""
        start = token.start
        end = token.end
        name = token.text
        if (
            text_before in ("++", "--")
            and ends_value(token_list[at - 2])
            and joined(at - 2, at - 1)
        ):
            text_before = ""  # they belong to what is before them
        if text_before in (".", "?.", "let", "const", "var", "function", "class"):
            continue
        if text_after in ("++", "--") and joined(at, at + 1):
            end = token_list[at + 1].end
            text = f"$set.{name}({name}{text_after})"
        elif text_before in ("++", "--") and text_after not in (".", "?.", "[", "("):
            start = token_list[at - 1].start
            text = f"$set.{name}({text_before}{name})"
        elif (assigns := _ASSIGNS.match(body, end)) and (
            text_before not in ("(", ",")
            or assigns.group().strip() != "="  # else perhaps a parameter
        ):
            text = f"$set.{name}={name}"
        else:
            continue
        changing.add(name)
        pieces += [body[done:start], text]
        done = end
    return "".join([*pieces, body[done:]]), frozenset(changing)


class _Parser:
    """Walks through the tokens of a module."""

    def __init__(self, path: str, text: str) -> None:
        self.module = Module(path)
        self._text = text
        self._tokens = list(tokens(text))
        self._at = 0
        self._pieces: list[str] = []
        self._done = 0
        self._variables: set[str] = set()
        while self._at < len(self._tokens):
            if not _is_statement(self._tokens, self._at):
                self._at += 1
            elif self._token.text == "import":
                self._import()
            else:
                self._export()
        self.module.body = "".join([*self._pieces, text[self._done :]])
        self._variables.update(
            name.text
            for word, name in pairwise(self._tokens)
            if word.depth == 0 and word.text in ("let", "var")
        )
        variables = self._variables & set(self.module.exports.values())
        if variables:
            self.module.body, self.module.changing = _with_setters(self.module.body, variables)

    @property
    def _token(self) -> Token:
        if self._at < len(self._tokens):
            return self._tokens[self._at]
        return Token("end", "", len(self._text), 0)

    def _next(self) -> Token:
        token = self._token
        self._at += 1
        return token

    def _took(self, text: str) -> bool:
        if self._token.text != text or self._token.kind == TEXT:
            return False
        self._at += 1
        return True

    def _place(self, token: Token) -> Frame:
        text_before = self._text[: token.start]
        return Frame(
            self.module.path, text_before.count("\n") + 1, token.start - text_before.rfind("\n")
        )

    def _fail(self, token: Token) -> ScriptFailedError:
        message = f"SyntaxError: Unexpected “{token.text}”"
        return ScriptFailedError("script-error", message, self._place(token))

    def _name(self) -> str:
        token = self._next()
        if token.kind == TEXT:
            return _string(token)
        if token.kind != NAME:
            raise self._fail(token)
        return token.text

    def _blank(self, start: int, end: int, instead: str = "") -> None:
        """Replace a part of the text; its lines stay."""
        hidden = self._text[start:end]
        lines = "".join(each for each in hidden if each in "\n\r")
        self._pieces += [self._text[self._done : start], instead]
        self._pieces.append(lines or " " * (len(hidden) - len(instead)))
        self._done = end

    def _from(self) -> str:
        """Return the specifier after ``from``, and what may follow it."""
        token = self._next()
        if token.kind != TEXT:
            raise self._fail(token)
        self.module.places.setdefault(_string(token), self._place(token))
        if self._took("with"):
            while not self._took("}"):
                if self._next().kind == "end":
                    raise self._fail(self._token)
        return _string(token)

    def _end_statement(self, start: int, instead: str = "") -> None:
        self._took(";")
        self._blank(start, self._tokens[self._at - 1].end, instead)

    def _import(self) -> None:
        start = self._next().start
        pairs: list[tuple[str, str]] = []
        if self._token.kind != TEXT:
            while True:
                if self._took(ALL):
                    if not self._took("as"):
                        raise self._fail(self._token)
                    pairs.append((ALL, self._name()))
                elif self._token.text == "{":
                    pairs += self._braces()
                else:
                    pairs.append((DEFAULT, self._name()))
                if self._took("from"):
                    break
                if not self._took(","):
                    raise self._fail(self._token)
        self.module.imports.setdefault(self._from(), []).extend(pairs)
        self._end_statement(start)

    def _braces(self) -> list[tuple[str, str]]:
        """Return the pairs of ``{a, b as c}``."""
        self._next()
        pairs = []
        while not self._took("}"):
            name = self._name()
            pairs.append((name, self._name() if self._took("as") else name))
            if not self._took(",") and self._token.text != "}":
                raise self._fail(self._token)
        return pairs

    def _export(self) -> None:
        export = self._next()
        word = self._token
        if self._took(ALL):
            alias = self._name() if self._took("as") else ""
            if not self._took("from"):
                raise self._fail(self._token)
            specifier = self._from()
            if alias:
                self._pass_on(specifier, ALL, alias)
            else:
                self.module.passed_on.append(specifier)
            self._end_statement(export.start)
        elif word.text == "{":
            pairs = self._braces()
            if self._took("from"):
                specifier = self._from()
                for source_name, here in pairs:
                    self._pass_on(specifier, source_name, here)
            else:
                self.module.exports.update({here: source_name for source_name, here in pairs})
            self._end_statement(export.start)
        elif self._took(DEFAULT):
            name = self._declared_name()
            self.module.exports[DEFAULT] = name or "$default"
            self._blank(export.start, word.end, "" if name else "const $default=")
        elif word.text in ("let", "const", "var"):
            self._blank(export.start, export.end)
            self._next()
            names = self._declarations()
            self.module.exports.update({name: name for name in names})
            if word.text != "const":
                self._variables.update(names)
        else:
            name = self._declared_name()
            if not name:
                raise self._fail(word)
            self.module.exports[name] = name
            self._blank(export.start, export.end)

    def _pass_on(self, specifier: str, source_name: str, here: str) -> None:
        """``export {there as here} from specifier``."""
        self.module.imports.setdefault(specifier, [])
        number = list(self.module.imports).index(specifier)
        self.module.exports[here] = (
            f"$m{number}" if source_name == ALL else f"$m{number}[{json.dumps(source_name)}]"
        )

    def _declared_name(self) -> str:
        """Return the name of the function or class declared here; "" if there is none."""
        at = self._at
        words = [token.text for token in self._tokens[at : at + 4]]
        if words[:1] == ["async"] and words[1:2] == ["function"]:
            words = words[1:]
            at = at + 1
        if not words or words[0] not in ("function", "class"):
            return ""
        at += 2 if words[1:2] == ["*"] else 1
        if at < len(self._tokens):
            named = self._tokens[at]
        else:
            named = self._token
        if named.kind == NAME and named.text != "extends":
            return named.text
        return ""

    def _declarations(self) -> list[str]:
        """Return the names declared by ``let``, ``const`` or ``var``, up to the end of the
        statement.
        """
        names: list[str] = []
        while True:
            if self._token.text in ("[", "{"):
                names += self._pattern()
            else:
                names.append(self._name())
            last_token = self._tokens[self._at - 1]
            while True:  # to the comma before the next name, or the end
                token = self._token
                if token.kind == "end" or (token.depth == 0 and token.text == ";"):
                    return names
                if token.depth == 0 and self._new_statement(last_token, token):
                    return names
                self._at += 1
                if token.depth == 0 and token.text == "," and token.kind != TEXT:
                    break
                last_token = token

    def _new_statement(self, last_token: Token, token: Token) -> bool:
        """Return whether a semicolon is left out between two tokens."""
        if "\n" not in self._text[last_token.end : token.start] or token.kind != NAME:
            return False
        value_ended = last_token.kind != "other" or last_token.text in (")", "]", "}")
        return value_ended and token.text not in ("in", "instanceof")

    def _pattern(self) -> list[str]:
        """Return the names that a destructuring pattern declares."""
        depth = self._next().depth
        names: list[str] = []
        default_depth: int | None = None
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
