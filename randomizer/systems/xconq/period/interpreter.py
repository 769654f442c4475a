"""Executes the period language: each token does what the table of words says of it.

The language is postfix: numbers, texts and vectors are pushed on a stack, and words take their
arguments from it, the value first, then the indices. ::

    "i" "infantry" "marches and captures" utype     defines a unit type, and i and infantry as words
    1 i speed                                       sets one value
    [ 3 2 ] [ i a ] hp                              a vector of values for a vector of indices

An ``Interpreter`` reads the sections of a period and of the files that it includes, one after the
other. ``_execute`` looks at a token, ``_COMMANDS`` are the words that are done at once, and
``_assign`` executes those that set a value. A fault in a word leaves it undone and is a problem.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches

import numpy as np

from randomizer.model.basics.plurals import counted
from randomizer.model.problems import Problem, Severity
from randomizer.systems.xconq.period.arguments import (
    KIND_NAMES,
    describe_item,
    print_item,
    reorder_arguments,
    wrong_argument,
)
from randomizer.systems.xconq.period.faults import NO_NAMES, Fault, Replacement, problem
from randomizer.systems.xconq.period.missing_quotes import missing_quote
from randomizer.systems.xconq.period.objects import (
    Assignment,
    Definition,
    Item,
    PeriodFile,
    TypeDefinition,
)
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
    LEAST_NUMBER,
    MOST_NUMBER,
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
"""Reading stops after so many tokens; the longest known period has some 6,000."""

MOST_PROBLEMS = 200
"""Reading stops after so many problems."""

MOST_PRINTED = 200_000
"""``print`` writes no more after so many characters."""

_SUGGESTIONS = 30
"""How many different undefined words get a suggestion: looking for one is slow."""

_LONGEST_SUGGESTED = 40
"""The most characters of an undefined word that gets a suggestion."""

_TEXTS_OF_TYPE = 3
"""The texts before a word that defines a type."""

_WRONG_COUNTS = ("period-vector-lengths", "period-values-short")
"""The codes of problems of vectors that have another number of values than there are types."""

_TYPE_WORDS = {"utype": UNITS, "rtype": RESOURCES, "ttype": TERRAINS}
"""The words that define a type, with the kind of the type."""

_KIND_OF_LETTER = {"u": UNITS, "r": RESOURCES, "t": TERRAINS}
"""The kinds of types by the first letter of ``u*``, ``r*`` and ``t*``."""


class Interpreter:
    """The state of reading period sections, one after another, into one period."""

    def __init__(self, trace: Callable[[PeriodFile, Token], None] | None = None) -> None:
        """Begin without a period. ``trace`` is called with each token before it is executed."""
        # What is gathered over all sections.
        self.problems: list[Problem] = []
        self.console: list[str] = []
        """What ``print`` wrote, a line each."""
        self.side_names: list[str] = []
        """Those that the period gives to sides, in addition to the usual ones."""
        self.unit_names: list[str] = []
        """Those that the period gives to units, in addition to the usual ones."""
        self.clears_side_names = False
        """Whether the usual names of sides are not to be used."""
        self.clears_unit_names = False
        """Whether the usual names of units are not to be used."""
        self.has_stopped = False
        """Whether reading stopped before the end of the period."""

        # The state of the section that is being read.
        self.names: dict[str, Item] = {}
        """What the names defined in this section stand for."""
        self.stack: list[Item] = []
        self.end = 0
        """The offset behind the section that was read last."""
        self._trace = trace
        self._printed = 0
        """The number of characters in ``console``."""
        self._tokens_read = 0
        """The number of tokens of all sections so far."""
        self._suggestions: dict[str, str | None] = {}
        """What was probably meant by each undefined word so far, None if nothing is like it."""
        self._emptied_by: Token | None = None
        """The undefined word that emptied the stack, if no other word was executed since."""
        self._told_words: dict[str, int] = {}
        """The undefined words so far: where they come again it follows from the first time.

        With each the index of its cause in ``problems``, which may be that of another word.
        """
        self._lost_names: dict[str, int] = {}
        """The texts that were lost with a faulty statement, which may have named something.

        With each the index of its problem in ``problems``.
        """
        self._cause_of_lost_type: int | None = None
        """The index of the problem for which the statement that was to define a type was lost.

        Vectors may be too long then. None if no such statement was lost.
        """
        self.texts_over_lines: list[tuple[PeriodFile, Token]] = []
        """The texts in quotes that go over a line end; a quote may be missing in such a text."""
        self._has_told_of_imports = False
        """Whether there is a problem of the name of another section already: one is enough."""
        self._clear()

    def _clear(self) -> None:
        """Forget the period that was read before, but for the names of sides and units."""
        self.units: list[UnitType] = []
        self.resources: list[ResourceType] = []
        self.terrains: list[TerrainType] = []
        self.type_definitions: dict[str, list[TypeDefinition]] = {
            UNITS: [],
            RESOURCES: [],
            TERRAINS: [],
        }
        self.notes: list[str] = []
        self.values = Values()
        self.assignments: list[Assignment] = []
        self.lost_assignments: list[Assignment] = []
        """Those that set nothing, since their vectors do not go together."""
        self.imported: dict[str, Item] = {}
        """What the names defined in the sections before this one stand for."""
        self.definitions: dict[str, Definition] = {}
        """The definitions of all names, of this section and those before."""

    # --- a section --------------------------------------------------------------------------------

    def read(self, file: PeriodFile, offset: int, extends: bool) -> None:
        """Read the section of ``file`` that begins at an offset, behind the line ``Period n``.

        Where it ``extends`` the period read before it changes that; otherwise that is forgotten,
        but for names of sides and units.
        """
        if extends:
            self.imported |= self.names
        else:
            self._clear()
        self.names = {}
        self.stack = []
        self._emptied_by = None
        self.file = file
        self.tokens = Tokenizer(file.text, offset)
        for token in self._tokens_of_section():
            self._execute(token)
        self.end = self.tokens.at

    def _tokens_of_section(self) -> Iterator[Token]:
        """Yield the tokens of the section up to the word ``end``, or to one of the bounds."""
        while (token := self.tokens.next()) is not None:
            self._tokens_read += 1
            if self._trace is not None:
                self._trace(self.file, token)
            if token.value == "end" and token.kind is TokenKind.SYMBOL:
                self._end(token)
                return
            if self._tokens_read > MOST_TOKENS:
                self.has_stopped = True
                self._problem("period-too-long", token, {"most": MOST_TOKENS})
                return
            if len(self.problems) >= MOST_PROBLEMS:
                self.has_stopped = True
                self._problem("period-too-many-problems", token, {"most": MOST_PROBLEMS})
                return
            yield token
        self._report_missing_end()

    def _end(self, token: Token) -> None:
        """Execute the word ``end``.

        What is left on the stack is told only of a period without other problems: they may be why.
        """
        if self.stack and not self.problems:
            count = counted(len(self.stack), "object")
            self._problem("period-left-over", self.stack[0].first, {"count": count})
        if token.comment >= 0:
            self._warn_of_comment(token)

    def _report_missing_end(self) -> None:
        """Report a section that ends with the text instead of with ``end``."""
        text = self.file.text
        end = len(text)
        lost = self.tokens.lost
        if lost is not None and lost.kind is TokenKind.STRING:
            self.problems.append(missing_quote(self.file, lost.start))
        elif lost is not None:
            word = text[lost.start : lost.end]
            self._problem("period-last-token", lost, {"word": word}, fix=(end, end, "\n"))
        # The word ``end`` without the end of its line is only the problem above.
        if lost is None or lost.value != "end":
            missing_end = "end\n"
            if not text.endswith("\n"):
                missing_end = "\nend\n"
            fix = (end, end, missing_end)
            self.problems.append(problem("period-no-end", self.file, (end, end), fix=fix))

    def _execute(self, token: Token) -> None:
        """Push a number or a text, or execute a word."""
        value = token.value
        if token.comment >= 0:
            self._warn_of_comment(token)
        if token.kind is TokenKind.NUMBER:
            if token.swallowed:
                blank = (token.end, token.end, " ")
                self._problem(
                    "period-number-runs-on", token, {"character": token.swallowed}, fix=blank
                )
            self._push(Item(self._number_in_range(token), token, token, is_literal=True))
        elif token.kind is TokenKind.STRING:
            if "\n" in str(value):
                self.texts_over_lines.append((self.file, token))
            self._push(Item(value, token, token))
        else:
            self._execute_word(token, str(value))

    def _number_in_range(self, token: Token) -> int:
        """Return the number of a token; 0 with a problem if it has more than 16 bits."""
        number = int(token.value)
        if LEAST_NUMBER <= number <= MOST_NUMBER:
            return number
        self._problem(
            "period-number-range", token, {"number": self.file.text[token.start : token.end][:40]}
        )
        return 0

    def _execute_word(self, token: Token, name: str) -> None:
        """Execute a word of the language, or push the object that a defined name stands for."""
        word = words().get(name)
        stack_before = tuple(self.stack)
        try:
            if word is not None and word.shape is Shape.COMMAND:
                _COMMANDS[name](self, token)
                self._emptied_by = None
            elif word is not None:
                self._assign(word, token)
                self._emptied_by = None
            elif name in self.names:
                self._push(self.names[name]._replace(first=token, last=token))
            elif name in self.imported:
                if not self._has_told_of_imports:
                    self._problem("period-included-name", token, {"word": name})
                    self._has_told_of_imports = True
                self._push(self.imported[name]._replace(first=token, last=token))
            else:
                self._undefined(token, name)
        except Fault as fault:
            cause = None
            if self._emptied_by is not None:
                cause = self._told_words[str(self._emptied_by.value)]
            self._problem(fault.code, token, fault.named, cause=cause)
            if cause is None:
                cause = len(self.problems) - 1
            self._note_lost(stack_before, cause)

    def _note_lost(self, items: Sequence[Item], cause: int) -> None:
        """Note what a statement that was lost may have named; ``items`` were on the stack.

        ``cause`` is the index of the problem for which it was lost.
        """
        texts = [item.value for item in items if isinstance(item.value, str)]
        for text in texts:
            self._lost_names.setdefault(text, cause)
        if len(texts) >= _TEXTS_OF_TYPE and self._cause_of_lost_type is None:
            self._cause_of_lost_type = cause

    def _undefined(self, token: Token, name: str) -> None:
        """Empty the stack and push 0, as the original program does for an undefined word."""
        cause = self._lost_names.get(name, self._told_words.get(name))
        suggestion = None
        if name not in self._lost_names:  # else the word is right, and its definition is not
            suggestion = self._suggestion(name)
        fix = None
        if suggestion is not None:
            fix = (token.start, token.end, suggestion)
        self._problem("period-undefined-word", token, {"word": name}, fix, cause=cause)
        if cause is None:
            cause = len(self.problems) - 1
        self._told_words.setdefault(name, cause)
        self._note_lost(self.stack, cause)
        self._emptied_by = token
        self.stack = [Item(0, token, token)]

    def _suggestion(self, name: str) -> str | None:
        """Return the word that was probably meant, None if nothing is like it.

        That is the only one of which ``name`` is the beginning up to a hyphen, else the most alike.
        """
        if name in self._suggestions:
            return self._suggestions[name]
        if len(self._suggestions) >= _SUGGESTIONS or len(name) > _LONGEST_SUGGESTED:
            return None
        names = [*words(), *self.names, *self.imported]
        candidates = [word for word in names if word.startswith(f"{name}-")]
        if len(candidates) != 1:
            candidates = get_close_matches(name, names, n=1, cutoff=0.75)
        suggestion: str | None = None
        if candidates:
            suggestion = candidates[0]
        self._suggestions[name] = suggestion
        return suggestion

    # --- the stack --------------------------------------------------------------------------------

    def _push(self, item: Item) -> None:
        """Put an object on the stack; one too many empties it, with a problem."""
        if len(self.stack) < STACK_DEPTH:
            self.stack.append(item)
            return
        self._problem("period-overflow", item.first, {"most": STACK_DEPTH})
        self.stack = []

    def _pop(self, count: int, name: str) -> list[Item]:
        """Take the topmost objects for the word ``name``, the deepest first.

        Raises Fault if there are too few, after emptying the stack.
        """
        depth = len(self.stack)
        if depth < count:
            self.stack = []
            held = "nothing"
            if depth:
                held = counted(depth, "object")
            if self._emptied_by is not None:
                held += f", since “{self._emptied_by.value}” is undefined and has emptied it"
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
        *,
        cause: int | None = None,
    ) -> None:
        """Add a problem of a token; the arguments are as for ``problem``.

        ``cause`` is the index in ``problems`` of an earlier one from which it follows, as does a
        wrong number of values for types after the definition of a type was lost. The cause of an
        error is an error, too: lists show it alone.
        """
        new_problem = problem(code, self.file, token.span, named, fix)
        if cause is None and code in _WRONG_COUNTS:
            cause = self._cause_of_lost_type
        if cause is not None:
            new_problem = replace(new_problem, follows=True)
            if new_problem.severity is Severity.ERROR:
                first_problem = self.problems[cause]
                self.problems[cause] = replace(first_problem, severity=Severity.ERROR)
        self.problems.append(new_problem)

    def _warn_of_comment(self, token: Token) -> None:
        """Warn of a comment inside a token."""
        if token.kind is TokenKind.STRING:
            self._problem("period-comment-in-text", token, {"word": f"“{token.value}”"})
        else:
            blank = (token.comment, token.comment, " ")
            self._problem("period-comment-in-token", token, {"word": f"“{token.value}”"}, fix=blank)

    # --- words that are done at once --------------------------------------------------------------

    def _true(self, token: Token) -> None:
        """Push 1."""
        self._push(Item(1, token, token, is_literal=True))

    def _false(self, token: Token) -> None:
        """Push 0."""
        self._push(Item(0, token, token, is_literal=True))

    def _begin_vector(self, token: Token) -> None:
        """Push a mark, up to which ``]`` takes the objects."""
        self._push(Item(None, token, token))

    def _end_vector(self, token: Token) -> None:
        """Replace the objects down to the last mark by a vector of their numbers."""
        # Take the objects down to the mark, the topmost ``[`` that is left, and the mark itself.
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

        # A vector is of a kind of types if all of its objects are, and can be changed number by
        # number if all of them are written out.
        kinds = {item.kind for item in items}
        kind = ""
        if len(kinds) == 1:
            kind = kinds.pop()
        number_tokens = None
        if all(item.is_literal for item in items):
            number_tokens = tuple(item.first for item in items)
        self._push(Item(tuple(numbers), mark.first, token, kind, number_tokens))

    def _define(self, token: Token) -> None:
        """Let the name on top of the stack stand for the object below it."""
        item, name = self._pop(2, "define")
        if not isinstance(name.value, str):
            raise Fault("period-argument", **wrong_argument(words()["define"], 1, name))
        if item.value is None:
            raise Fault("period-argument", **wrong_argument(words()["define"], 0, item))
        # Where the name is used the object's numbers are not written out.
        item = item._replace(number_tokens=None, is_literal=False)
        self._name(name.value, item, name.first)

    def _name(self, name: str, item: Item, token: Token) -> None:
        """Let a name stand for an object, unless it already has a meaning."""
        word = words().get(name)
        if word is not None or name in self.names:
            if word is not None:
                meaning = "a word of the language"
            else:
                meaning = describe_item(self.names[name])
            self._problem("period-redefined", token, {"word": name, "meaning": meaning})
            return
        self.names[name] = item
        self.definitions[name] = Definition(self.file, item._replace(first=token, last=token))

    def _print(self, _token: Token) -> None:
        """Write the stack as the original program does."""
        if self._printed > MOST_PRINTED:
            return
        line = " ".join(["/* Stack", *map(print_item, self.stack), "*/"])
        self._printed += len(line)
        if self._printed > MOST_PRINTED:
            line = "/* … */"
        self.console.append(line)

    def _new_type(self, token: Token) -> None:
        """Define a type of the kind that the word ``utype``, ``rtype`` or ``ttype`` says.

        Its name becomes a word for its number, and the character, too, but of terrain: there it
        only stands in maps.
        """
        # Take the three texts, and check them.
        word = str(token.value)
        kind = _TYPE_WORDS[word]
        items = self._pop(3, word)
        texts = [item.value for item in items if isinstance(item.value, str)]
        if len(texts) < 3:
            raise Fault("period-definer-text", word=word)
        char, name, third = texts
        definitions = self.type_definitions[kind]
        if len(definitions) >= MOST_TYPES:
            raise Fault("period-types", most=MOST_TYPES)
        reason = _no_char(kind, char)
        if reason is not None:
            named = {"char": char, "kind": KIND_NAMES[kind], "reason": reason}
            self._problem("period-type-char", items[0].first, named)

        # Add the type.
        item = Item(len(definitions), token, token, kind)
        definitions.append(TypeDefinition(self.file, items[1].first))
        if kind == UNITS:
            self.units.append(UnitType(char, name, third))
        elif kind == RESOURCES:
            self.resources.append(ResourceType(char, name, third))
        else:
            self.terrains.append(TerrainType(char, name, third))

        # Name it.
        if kind != TERRAINS:
            self._name(char, item, items[0].first)
        if kind == TERRAINS or name != char:
            self._name(name, item, items[1].first)

    def _all_types(self, token: Token) -> None:
        """Push a vector of all types of a kind that there are so far: ``u*``, ``r*``, ``t*``."""
        kind = _KIND_OF_LETTER[str(token.value)[0]]
        count = len(self.type_definitions[kind])
        self._push(Item(tuple(range(count)), token, token, kind))

    def _nothing(self, token: Token) -> None:
        """Push the number that stands for no unit type."""
        self._push(Item(NOTHING, token, token, UNITS))

    def _add_name(self, token: Token) -> None:
        """Add a name for units or sides: ``uname``, ``sname``."""
        word = str(token.value)
        (item,) = self._pop(1, word)
        if not isinstance(item.value, str):
            raise Fault("period-argument", **wrong_argument(words()[word], 0, item))
        if word == "uname":
            self.unit_names.append(item.value)
        else:
            self.side_names.append(item.value)

    def _clear_unit_names(self, _token: Token) -> None:
        """Forget all names of units so far, and the usual ones."""
        self.unit_names = []
        self.clears_unit_names = True

    def _clear_side_names(self, _token: Token) -> None:
        """Forget all names of sides so far, and the usual ones."""
        self.side_names = []
        self.clears_side_names = True

    def _notes(self, token: Token) -> None:
        """Take the lines up to ``end{notes}`` as notes of the period."""
        lines = self.tokens.notes()
        if lines is None:
            raise Fault("period-notes-end")
        self.notes += lines
        if len(lines) > NOTE_LINES:
            self._problem("period-notes-long", token, {"count": len(lines), "most": NOTE_LINES})

    # --- words that set a value -------------------------------------------------------------------

    def _assign(self, word: Word, token: Token) -> None:
        """Execute a word that sets a value: take it and its indices, check and store them."""
        count = len(word.arguments)
        # An optional argument is missing if there are too few objects that it can be.
        if word.optional is not None and not self._has_numbers(count):
            count -= 1
        value, *indices = self._pop(count, word.name)

        # Check them.
        self._check_value(word, value)
        # Without the optional index the others are the last ones of the word.
        index_kinds = word.indices[len(word.indices) - len(indices) :]
        first_argument = 1 + len(word.indices) - len(index_kinds)  # the value is argument 0
        if indices:
            self._check_kinds(word, first_argument, index_kinds, value, indices)
        index_vectors = []
        arguments = range(first_argument, first_argument + len(indices))
        for argument, kind, index in zip(arguments, index_kinds, indices, strict=True):
            index_vectors.append(self._type_numbers(word, argument, kind, index))

        # Store them.
        assignment = Assignment(word.name, token, value, tuple(indices), self.file)
        try:
            self._store(word, token, value, index_vectors)
        except Fault:
            self.lost_assignments.append(assignment)
            raise
        self.assignments.append(assignment)

    def _has_numbers(self, count: int) -> bool:
        """Return whether so many objects on top of the stack are numbers and vectors."""
        top = self.stack[-count:]
        return len(top) == count and all(isinstance(item.value, int | tuple) for item in top)

    def _check_value(self, word: Word, item: Item) -> None:
        """Raise Fault if the value is a text where the word takes numbers, or the reverse."""
        if word.arguments[0] == "str":
            is_fitting = isinstance(item.value, str)
        else:
            is_fitting = isinstance(item.value, int | tuple)
        if not is_fitting:
            raise Fault("period-argument", **wrong_argument(word, 0, item))

    def _check_kinds(
        self,
        word: Word,
        first_argument: int,
        index_kinds: tuple[str, ...],
        value: Item,
        indices: list[Item],
    ) -> None:
        """Warn of the first argument that is a type of another kind than the word takes.

        ``first_argument`` is the number of the first index among the word's arguments.
        """
        items = (value, *indices)
        kinds = (word.arguments[0], *index_kinds)
        arguments = (0, *range(first_argument, first_argument + len(indices)))
        for argument, kind, item in zip(arguments, kinds, items, strict=True):
            if item.kind and kind != item.kind:
                named = wrong_argument(word, argument, item)
                fix = reorder_arguments(self.file, items, kinds)
                self._problem("period-argument-kind", item.first, named, fix=fix)
                return

    def _type_numbers(self, word: Word, argument: int, kind: str, item: Item) -> Numbers:
        """Return an index of a word as numbers of types: one number, or a vector of them.

        ``argument`` is its number among the word's arguments. What is no type becomes the number
        behind all types, whose values are never read.
        """
        value = item.value
        if not isinstance(value, int | tuple):
            raise Fault("period-argument", **wrong_argument(word, argument, item))
        count = len(self.type_definitions[kind])
        type_numbers = np.array(value, np.int32)
        is_outside = (type_numbers < 0) | (type_numbers >= count)
        if is_outside.any():
            index = int(type_numbers[is_outside].flat[0])
            if index == NOTHING:
                raise Fault("period-index-nothing")
            # A type of another kind has its warning already.
            if item.kind in ("", kind):
                named = {"index": index, "kind": KIND_NAMES[kind], "count": count}
                self._problem("period-index", item.first, named)
            type_numbers[is_outside] = OUTSIDE
        return type_numbers

    def _store(self, word: Word, token: Token, item: Item, index_vectors: list[Numbers]) -> None:
        """Set the values of a word; ``index_vectors`` are its indices, numbers and vectors."""
        value = item.value
        if isinstance(value, tuple) and not index_vectors:
            self._problem("period-vector-alone", token, wrong_argument(word, 0, item))
        elif isinstance(value, str) and index_vectors:
            self.values.set_texts(word, index_vectors[-1].ravel().tolist(), value)
        elif isinstance(value, int | str) and not index_vectors:
            self.values.set_single(word, value)
        else:
            numbers = np.array(value, np.int32)
            if numbers.ndim == 1:
                numbers, index_vectors = self._match_lengths(word, token, numbers, index_vectors)
            self.values.set_numbers(word, numbers, index_vectors)

    def _match_lengths(
        self, word: Word, token: Token, values: Numbers, index_vectors: list[Numbers]
    ) -> tuple[Numbers, list[Numbers]]:
        """Return a vector of values and the indices, of which the only vector has the same length.

        With one index the longer one is cut, with a warning; the original program sets as many as
        there are values. Raises Fault for other lengths, and unless one index is a vector.
        """
        vectors = [index_vector for index_vector in index_vectors if index_vector.ndim == 1]
        if len(vectors) != 1:
            given_text = "none"
            if vectors:
                given_text = "two vectors of indices"
            raise Fault("period-vector-value", word=word.name, found=given_text)
        value_count = len(values)
        index_count = len(vectors[0])
        if value_count == index_count:
            return values, index_vectors
        counts = {
            "values": counted(value_count, "value"),
            "indices": counted(index_count, "type"),
        }
        if len(index_vectors) > 1:
            raise Fault("period-vector-lengths", word=word.name, **counts)
        self._problem("period-values-short", token, {"word": word.name, **counts})
        common_count = min(value_count, index_count)
        return values[:common_count], [vectors[0][:common_count]]


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
