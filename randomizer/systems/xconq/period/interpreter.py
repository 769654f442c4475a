"""Executes the period language: each token does what the table of words says of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches

import numpy as np

from randomizer.model.basics.plurals import counted
from randomizer.model.problems import Problem
from randomizer.systems.xconq.period.arguments import (
    KIND_NAMES,
    describe_item,
    print_item,
    reorder_arguments,
    wrong_argument,
)
from randomizer.systems.xconq.period.faults import NO_NAMES, Fault, Replacement, problem
from randomizer.systems.xconq.period.objects import Assignment, Item, PeriodFile
from randomizer.systems.xconq.period.period import (
    OUTSIDE,
    Numbers,
    ResourceType,
    TerrainType,
    UnitType,
    Values,
)
from randomizer.systems.xconq.period.tokens import Token, Tokenizer, TokenKind
from randomizer.systems.xconq.period.words import (
    MOST_TYPES,
    NOTHING,
    RESOURCES,
    TERRAINS,
    UNITS,
    Shape,
    Word,
    words,
)

STACK_DEPTH = 50
"""The most objects on the stack, as in the original program."""

NOTE_LINES = 399
"""The most lines of notes that the original program takes."""

MOST_TOKENS = 400_000
MOST_PROBLEMS = 200
MOST_PRINTED = 200_000
"""Bounds of one reading: tokens, problems, and characters that ``print`` writes."""

_SUGGESTIONS = 30
"""How many different undefined words get a suggestion: looking for one is slow."""

_LEAST = -32768
_MOST = 32767
_TYPE_WORDS = {"utype": UNITS, "rtype": RESOURCES, "ttype": TERRAINS}


class Interpreter:
    """The state of reading period sections, one after another, into one period."""

    def __init__(self, trace: Callable[[PeriodFile, Token], None] | None = None) -> None:
        self.problems: list[Problem] = []
        self.console: list[str] = []
        """What ``print`` wrote, a line each."""
        self.side_names: list[str] = []
        self.unit_names: list[str] = []
        self.clears_side_names = False
        self.clears_unit_names = False
        self.names: dict[str, Item] = {}
        """What the names defined in this section stand for."""
        self.stack: list[Item] = []
        self.end = 0
        """The offset behind the section that was read last."""
        self.full = False
        """Whether reading stopped at one of the bounds."""
        self._trace = trace
        self._printed = 0
        self._tokens = 0
        self._suggested: dict[str, str | None] = {}
        self._emptied: Token | None = None
        self._told_of_imports = False
        self._clear()

    def _clear(self) -> None:
        self.units: list[UnitType] = []
        self.resources: list[ResourceType] = []
        self.terrains: list[TerrainType] = []
        self.type_tokens: dict[str, list[tuple[PeriodFile, Token]]] = {
            UNITS: [],
            RESOURCES: [],
            TERRAINS: [],
        }
        self.notes: list[str] = []
        self.values = Values()
        self.assignments: list[Assignment] = []
        self.imported: dict[str, Item] = {}
        """Names of sections read before this one."""
        self.own_names: dict[str, tuple[PeriodFile, Item]] = {}
        """All names, each with the file and the token that define it."""

    # --- a section --------------------------------------------------------------------------------

    def read(self, file: PeriodFile, at: int, keeps: bool) -> None:
        """Read the section of ``file`` that begins at ``at``, behind the line ``Period n``.

        ``keeps``: it changes the period read before; otherwise that is forgotten, but for names of
        sides and units.
        """
        if keeps:
            self.imported |= self.names
        else:
            self._clear()
        self.names = {}
        self.stack = []
        self._emptied = None
        self.file = file
        self.tokens = Tokenizer(file.text, at)
        for token in self._taken():
            self._execute(token)
        self.end = self.tokens.at

    def _taken(self) -> Iterator[Token]:
        """Yield the tokens of the section up to the word ``end``."""
        while (token := self.tokens.next()) is not None:
            self._tokens += 1
            if self._trace is not None:
                self._trace(self.file, token)
            if token.value == "end" and token.kind is TokenKind.SYMBOL:
                self._end(token)
                return
            if self._tokens > MOST_TOKENS or len(self.problems) >= MOST_PROBLEMS:
                self.full = True
                many = self._tokens > MOST_TOKENS
                code = "period-too-long" if many else "period-too-many-problems"
                self._problem(code, token, {"most": MOST_TOKENS if many else MOST_PROBLEMS})
                return
            yield token
        self._cut_off()

    def _end(self, token: Token) -> None:
        if self.stack and not self.problems:
            count = counted(len(self.stack), "object")
            self._problem("period-left-over", self.stack[0].first, {"count": count})
        if token.comment >= 0:
            self._joined(token)

    def _cut_off(self) -> None:
        """The problems of a section that ends with the text instead of with ``end``."""
        lost = self.tokens.lost
        end = len(self.file.text)
        if lost is not None and lost.kind is TokenKind.STRING:
            line_end = self.file.text.find("\n", lost.start)
            at = end if line_end < 0 else line_end
            self._problem("period-no-quote", lost._replace(end=at), fix=(at, at, '"'))
        elif lost is not None:
            word = self.file.text[lost.start : lost.end]
            self._problem("period-last-token", lost, {"word": word}, fix=(end, end, "\n"))
        if lost is None or lost.value != "end":
            newline = "" if self.file.text.endswith("\n") else "\n"
            self.problems.append(
                problem("period-no-end", self.file, (end, end), fix=(end, end, f"{newline}end\n"))
            )

    def _execute(self, token: Token) -> None:
        value = token.value
        if token.comment >= 0:
            self._joined(token)
        if token.kind is TokenKind.NUMBER:
            if token.swallowed:
                blank = (token.end, token.end, " ")
                self._problem(
                    "period-number-runs-on", token, {"character": token.swallowed}, fix=blank
                )
            self._push(Item(self._in_range(token), token, token, plain=True))
        elif token.kind is TokenKind.STRING:
            self._push(Item(value, token, token))
        else:
            self._word(token, str(value))

    def _in_range(self, token: Token) -> int:
        number = int(token.value)
        if _LEAST <= number <= _MOST:
            return number
        self._problem(
            "period-number-range", token, {"number": self.file.text[token.start : token.end][:40]}
        )
        return 0

    def _word(self, token: Token, name: str) -> None:
        word = words().get(name)
        try:
            if word is not None:
                if word.shape is Shape.COMMAND:
                    _COMMANDS[name](self, token)
                else:
                    self._assign(word, token)
                self._emptied = None
            elif name in self.names:
                self._push(self.names[name]._replace(first=token, last=token))
            elif name in self.imported:
                if not self._told_of_imports:
                    self._problem("period-included-name", token, {"word": name})
                    self._told_of_imports = True
                self._push(self.imported[name]._replace(first=token, last=token))
            else:
                self._undefined(token, name)
        except Fault as fault:
            self._problem(fault.code, token, fault.named)

    def _undefined(self, token: Token, name: str) -> None:
        likely = self._likely(name)
        if likely is None:
            fix = None
        else:
            fix = (token.start, token.end, likely)
        self._problem("period-undefined-word", token, {"word": name}, fix=fix)
        self._emptied = token
        self.stack = [Item(0, token, token)]

    def _likely(self, name: str) -> str | None:
        """Return the word that was probably meant, None if nothing is like it."""
        if name not in self._suggested:
            if len(self._suggested) >= _SUGGESTIONS or len(name) > 40:
                return None
            names = [*words(), *self.names, *self.imported]
            longer = [word for word in names if word.startswith(f"{name}-")]
            if len(longer) == 1:
                near = longer
            else:
                near = get_close_matches(name, names, 1, 0.75)
            self._suggested[name] = near[0] if near else None
        return self._suggested[name]

    # --- the stack --------------------------------------------------------------------------------

    def _push(self, item: Item) -> None:
        if len(self.stack) < STACK_DEPTH:
            self.stack.append(item)
            return
        self._problem("period-overflow", item.first, {"most": STACK_DEPTH})
        self.stack = []

    def _pop(self, count: int, name: str) -> list[Item]:
        """Return the topmost objects, the deepest first."""
        depth = len(self.stack)
        if depth < count:
            self.stack = []
            held = counted(depth, "object") if depth else "nothing"
            if self._emptied is not None:
                held += f", since “{self._emptied.value}” is undefined and has emptied it"
            needed = counted(count, "object")
            usage = words()[name].usage
            raise Fault("period-underflow", word=name, usage=usage, wanted=needed, found=held)
        items = self.stack[depth - count :]
        del self.stack[depth - count :]
        return items

    def _problem(
        self,
        code: str,
        token: Token,
        named: Mapping[str, object] = NO_NAMES,
        fix: Replacement | None = None,
    ) -> None:
        self.problems.append(problem(code, self.file, token.span, named, fix))

    def _joined(self, token: Token) -> None:
        """Warn of a comment inside a token."""
        if token.kind is TokenKind.STRING:
            self._problem("period-comment-in-text", token, {"word": f"“{token.value}”"})
        else:
            blank = (token.comment, token.comment, " ")
            self._problem("period-comment-in-token", token, {"word": f"“{token.value}”"}, fix=blank)

    # --- words that are done at once --------------------------------------------------------------

    def _true(self, token: Token) -> None:
        self._push(Item(1, token, token, plain=True))

    def _false(self, token: Token) -> None:
        self._push(Item(0, token, token, plain=True))

    def _begin_vector(self, token: Token) -> None:
        self._push(Item(None, token, token))

    def _end_vector(self, token: Token) -> None:
        begin = len(self.stack) - 1
        while begin >= 0 and self.stack[begin].value is not None:
            begin -= 1
        if begin < 0:
            self.stack = []
            raise Fault("period-vector-begin")
        mark, *items = self.stack[begin:]
        del self.stack[begin:]
        numbers = []
        for item in items:
            if isinstance(item.value, int):
                numbers.append(item.value)
            else:
                raise Fault("period-vector-item", found=describe_item(item))
        if not items:
            self._problem("period-vector-empty", mark.first._replace(end=token.end))
        kinds = {item.kind for item in items}
        kind = kinds.pop() if len(kinds) == 1 else ""
        if all(item.plain for item in items):
            parts = tuple(item.first for item in items)
        else:
            parts = None
        self._push(Item(tuple(numbers), mark.first, token, kind, parts))

    def _define(self, token: Token) -> None:
        item, name = self._pop(2, "define")
        if not isinstance(name.value, str):
            raise Fault("period-argument", **wrong_argument(words()["define"], 1, name))
        if item.value is None:
            raise Fault("period-argument", **wrong_argument(words()["define"], 0, item))
        self._name(name.value, item._replace(parts=None, plain=False), name.first)

    def _name(self, name: str, item: Item, token: Token) -> None:
        """Let a name stand for an object, unless it already has a meaning."""
        word = words().get(name)
        if word is not None or name in self.names:
            if word:
                meaning = "a word of the language"
            else:
                meaning = describe_item(self.names[name])
            self._problem("period-redefined", token, {"word": name, "meaning": meaning})
            return
        self.names[name] = item
        self.own_names[name] = (self.file, item._replace(first=token, last=token))

    def _print(self, _token: Token) -> None:
        if self._printed > MOST_PRINTED:
            return
        line = " ".join(["/* Stack", *map(print_item, self.stack), "*/"])
        self._printed += len(line)
        self.console.append(line if self._printed <= MOST_PRINTED else "/* … */")

    def _new_type(self, token: Token) -> None:
        word = str(token.value)
        kind = _TYPE_WORDS[word]
        items = self._pop(3, word)
        texts = [item.value for item in items if isinstance(item.value, str)]
        if len(texts) < 3:
            raise Fault("period-definer-text", word=word)
        char, name, third = texts
        name_tokens = self.type_tokens[kind]
        if len(name_tokens) >= MOST_TYPES:
            raise Fault("period-types", most=MOST_TYPES)
        if (reason := _no_char(kind, char)) is not None:
            named = {"char": char, "kind": KIND_NAMES[kind], "reason": reason}
            self._problem("period-type-char", items[0].first, named)
        item = Item(len(name_tokens), token, token, kind)
        name_tokens.append((self.file, items[1].first))
        if kind == UNITS:
            self.units.append(UnitType(char, name, third))
        elif kind == RESOURCES:
            self.resources.append(ResourceType(char, name, third))
        else:
            self.terrains.append(TerrainType(char, name, third))
        if kind != TERRAINS:
            self._name(char, item, items[0].first)
        if kind == TERRAINS or name != char:
            self._name(name, item, items[1].first)

    def _all_types(self, token: Token) -> None:
        kind = {"u": UNITS, "r": RESOURCES, "t": TERRAINS}[str(token.value)[0]]
        count = len(self.type_tokens[kind])
        self._push(Item(tuple(range(count)), token, token, kind))

    def _nothing(self, token: Token) -> None:
        self._push(Item(NOTHING, token, token, UNITS))

    def _add_name(self, token: Token) -> None:
        word = str(token.value)
        (item,) = self._pop(1, word)
        if not isinstance(item.value, str):
            raise Fault("period-argument", **wrong_argument(words()[word], 0, item))
        (self.unit_names if word == "uname" else self.side_names).append(item.value)

    def _clear_unit_names(self, _token: Token) -> None:
        self.unit_names = []
        self.clears_unit_names = True

    def _clear_side_names(self, _token: Token) -> None:
        self.side_names = []
        self.clears_side_names = True

    def _notes(self, token: Token) -> None:
        lines = self.tokens.notes()
        if lines is None:
            raise Fault("period-notes-end")
        self.notes += lines
        if len(lines) > NOTE_LINES:
            self._problem("period-notes-long", token, {"count": len(lines), "most": NOTE_LINES})

    # --- words that set a value -------------------------------------------------------------------

    def _assign(self, word: Word, token: Token) -> None:
        count = len(word.arguments)
        if word.optional is not None and not self._stands(count):
            count -= 1
        value, *indices = self._pop(count, word.name)
        self._check_value(word, value)
        kinds = word.indices[-len(indices) :] if indices else ()
        first = 1 + len(word.indices) - len(kinds)
        if indices:
            self._check_kinds(word, first, kinds, value, indices)
        index_vectors = [
            self._places(word, first + at, kind, index)
            for at, (kind, index) in enumerate(zip(kinds, indices, strict=True))
        ]
        self._store(word, token, value, index_vectors)
        self.assignments.append(Assignment(word.name, token, value, tuple(indices), self.file))

    def _stands(self, count: int) -> bool:
        """Return whether as many numbers and vectors are on top of the stack."""
        top = self.stack[-count:]
        return len(top) == count and all(isinstance(item.value, int | tuple) for item in top)

    def _check_value(self, word: Word, item: Item) -> None:
        fits = isinstance(item.value, str)
        if word.arguments[0] != "str":
            fits = isinstance(item.value, int | tuple)
        if not fits:
            raise Fault("period-argument", **wrong_argument(word, 0, item))

    def _check_kinds(
        self, word: Word, first: int, kinds: tuple[str, ...], value: Item, indices: list[Item]
    ) -> None:
        """Warn of the first argument that is a type of another kind than the word takes."""
        expected_kinds = (word.arguments[0], *kinds)
        for at, (kind, item) in enumerate(zip(expected_kinds, (value, *indices), strict=True)):
            if item.kind and kind != item.kind:
                named = wrong_argument(word, at and first + at - 1, item)
                fix = reorder_arguments(self.file, (value, *indices), expected_kinds)
                self._problem("period-argument-kind", item.first, named, fix=fix)
                return

    def _places(self, word: Word, at: int, kind: str, item: Item) -> Numbers:
        """Return the index ``item``, the ``at``-th argument, as places in an array.

        What is no type becomes the place behind the last, which is never read.
        """
        value = item.value
        if not isinstance(value, int | tuple):
            raise Fault("period-argument", **wrong_argument(word, at, item))
        count = len(self.type_tokens[kind])
        type_numbers = np.array(value, np.int32)
        outside = (type_numbers < 0) | (type_numbers >= count)
        if outside.any():
            index = int(type_numbers[outside].flat[0])
            if index == NOTHING:
                raise Fault("period-index-nothing")
            if item.kind in ("", kind):
                named = {"index": index, "kind": KIND_NAMES[kind], "count": count}
                self._problem("period-index", item.first, named)
            type_numbers[outside] = OUTSIDE
        return type_numbers

    def _store(self, word: Word, token: Token, item: Item, index_vectors: list[Numbers]) -> None:
        value = item.value
        if isinstance(value, tuple) and not index_vectors:
            self._problem("period-vector-alone", token, wrong_argument(word, 0, item))
        elif isinstance(value, str) and index_vectors:
            self.values.set_texts(word, index_vectors[-1].ravel().tolist(), value)
        elif isinstance(value, int | str) and not index_vectors:
            self.values.set_single(word, value)
        else:
            numbers = np.array(value, np.int32)
            if numbers.ndim:
                numbers, index_vectors = self._mapped(word, token, numbers, index_vectors)
            self.values.set_numbers(word, numbers, index_vectors)

    def _mapped(
        self, word: Word, token: Token, values: Numbers, index_vectors: list[Numbers]
    ) -> tuple[Numbers, list[Numbers]]:
        """Return a vector of values and the indices, one of them a vector of the same length."""
        vectors = [index_vector for index_vector in index_vectors if index_vector.ndim]
        if len(vectors) != 1:
            given_text = "two vectors of indices" if vectors else "none"
            raise Fault("period-vector-value", word=word.name, found=given_text)
        many = len(values)
        indices = len(vectors[0])
        if many == indices:
            return values, index_vectors
        counts = {"values": counted(many, "value"), "indices": counted(indices, "type")}
        if len(index_vectors) > 1:
            raise Fault("period-vector-lengths", word=word.name, **counts)
        self._problem("period-values-short", token, {"word": word.name, **counts})
        least = min(many, indices)
        return values[:least], [vectors[0][:least]]


_COMMANDS: dict[str, Callable[[Interpreter, Token], None]] = {
    "true": Interpreter._true,
    "false": Interpreter._false,
    "[": Interpreter._begin_vector,
    "]": Interpreter._end_vector,
    "define": Interpreter._define,
    "print": Interpreter._print,
    "utype": Interpreter._new_type,
    "rtype": Interpreter._new_type,
    "ttype": Interpreter._new_type,
    "u*": Interpreter._all_types,
    "r*": Interpreter._all_types,
    "t*": Interpreter._all_types,
    "nothing": Interpreter._nothing,
    "uname": Interpreter._add_name,
    "sname": Interpreter._add_name,
    "clear-unit-names": Interpreter._clear_unit_names,
    "clear-side-names": Interpreter._clear_side_names,
    "begin{notes}": Interpreter._notes,
}
"""What the words do that set no value; ``end`` is seen before a token is executed."""


def _no_char(kind: str, char: str) -> str | None:
    """Return why a text cannot be the character of a type, None if it can."""
    if len(char) != 1:
        return "it must be exactly one character"
    if kind == UNITS and char in ".?":
        return "what a side sees is written with it"
    if kind == TERRAINS and char.isdecimal():
        return "digits count repetitions in the rows of a map"
    return None
