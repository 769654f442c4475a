"""Removes a type from the text of a period, with all statements about it::

    "T" "tank" "" utype                 ; removed: the definition
    2 tank speed                        ; removed: a statement about this type alone
    [ 1 2 4 ] [ i T a ] hp              ; becomes [ 1 4 ] [ i a ] hp

    text = remove_type(text, UNITS, tank_number)

The new text is read and compared with the old one, so that nothing else can change unnoticed. If a
text cannot be changed in this way, the result is a ``NotPlain`` with the reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from randomizer.model.map.layer import NO_TEXTS
from randomizer.model.problems import has_errors
from randomizer.systems.xconq.period.objects import Assignment, Item, PeriodFile, TypeDefinition
from randomizer.systems.xconq.period.period import Period, value_words
from randomizer.systems.xconq.period.reading import Reading, read_traced
from randomizer.systems.xconq.period.slots import Values, values_of
from randomizer.systems.xconq.period.text_splices import NotPlain, Splice, splice_text
from randomizer.systems.xconq.period.tokens import Token, TokenKind
from randomizer.systems.xconq.period.value_edits import UNCHANGED_FIELDS
from randomizer.systems.xconq.period.words import TERRAINS, UNITS, Word, words

_DEFINER_OFFSET = 2
"""The word that defines a type is the second token behind that of the name."""

_GONE = -1
"""Stands for the number of the removed type among the values of a word."""


def remove_type(
    text: str, kind: str, index: int, further: Mapping[str, str] = NO_TEXTS
) -> str | NotPlain:
    """Return the text without a type, or the reason why it cannot be removed.

    ``kind`` is UNITS or TERRAINS, ``index`` the number of the type. Comments stay.
    """
    tokens: list[Token] = []

    def note_token(file: PeriodFile, token: Token) -> None:
        """Note a token of the period's own text."""
        if file.name is None:
            tokens.append(token)

    reading = read_traced(text, None, further, note_token)
    if has_errors(reading.problems):
        return NotPlain("The period has errors.")
    types = reading.period.types(kind)
    if len(types) == 1:
        return NotPlain(f"A period needs a {kind} type.")
    definition = reading.types[kind][index]
    file = definition.file
    if file.name is not None:
        line = file.place(*definition.token.span).line
        return NotPlain(f"It is defined in {file.name}, line {line}.", line, file.name)

    removal = _Removal(reading, tokens, kind, index)
    new_text = splice_text(file.text, removal.splices())
    return _check_result(new_text, reading, kind, index, further)


class _Removal:
    """Collects the splices that remove a type from the period's own text."""

    def __init__(self, reading: Reading, tokens: Sequence[Token], kind: str, index: int) -> None:
        self._reading = reading
        self._tokens = tokens
        self._kind = kind
        self._index = index
        """The number of the type."""
        self._positions = {token.start: position for position, token in enumerate(tokens)}
        """The positions in ``tokens``, by the offsets of the tokens."""
        self._text = reading.period.files[-1].text

    def splices(self) -> list[Splice]:
        """Return all splices, which do not overlap."""
        splices = {self._splice_of_definition(self._reading.types[self._kind][self._index])}
        for assignment in self._reading.period.assignments:
            if assignment.file.name is None:
                splices.update(self._splices_of_assignment(assignment))
        for definition in self._reading.names.values():
            is_vector = isinstance(definition.item.value, tuple)
            if definition.file.name is None and is_vector:
                splices.update(self._splices_of_named_vector(definition.item))
        return _without_overlaps(splices)

    def _splice_of_definition(self, definition: TypeDefinition) -> Splice:
        """Return the splice that removes the three texts of a definition and its word."""
        position = self._positions[definition.token.start]
        first = self._tokens[position - 1]
        last = self._tokens[position + _DEFINER_OFFSET]
        return self._removing(first.start, last.end)

    def _splices_of_assignment(self, assignment: Assignment) -> Iterator[Splice]:
        """Yield the splices that remove the type from a statement that sets a value."""
        word = words()[assignment.word]
        value = assignment.value
        kinds = word.last_indices(len(assignment.indices))
        indices = []  # those that are types of the kind of the removed one
        for kind, item in zip(kinds, assignment.indices, strict=True):
            if kind == self._kind:
                indices.append(item)

        # A statement about this type alone goes as a whole.
        is_value_type = word.arguments[0] == self._kind
        is_about_type_alone = any(self._is_only_type(item) for item in indices)
        if is_about_type_alone or (is_value_type and value.value == self._index):
            yield self._removing(value.first.start, assignment.token.end)
            return

        # Of another one the type goes, as an index and as a value.
        for item in indices:
            yield from self._splices_of_types(item)
        if is_value_type:
            yield from self._splices_of_types(value)

        # ``[ 1 2 4 ] [ i T a ] hp``: with the type T goes its value 2.
        vectors = [item for item in assignment.indices if isinstance(item.value, tuple)]
        if isinstance(value.value, tuple) and len(vectors) == 1 and vectors[0] in indices:
            yield from self._splices_at(self._positions_of_type(vectors[0]), value)

    def _is_only_type(self, item: Item) -> bool:
        """Return whether an index is the type alone."""
        if isinstance(item.value, tuple):
            return set(item.value) == {self._index}
        return item.value == self._index

    def _positions_of_type(self, item: Item) -> list[int]:
        """Return the positions of the type in a vector of types."""
        assert isinstance(item.value, tuple), "only vectors have positions"
        return [position for position, number in enumerate(item.value) if number == self._index]

    def _splices_of_types(self, item: Item) -> Iterator[Splice]:
        """Yield the splices that remove the type from an object, and lower the numbers above it.

        The object is a type or a vector of types.
        """
        if isinstance(item.value, tuple):
            yield from self._lowered(self._tokens_between(item))
            yield from self._splices_at(self._positions_of_type(item), item)
        else:
            yield from self._lowered([item.first])

    def _splices_at(self, positions: Sequence[int], vector: Item) -> Iterator[Splice]:
        """Yield the splices that remove what stands at these positions between brackets."""
        tokens = self._tokens_between(vector)
        for position in positions:
            if position < len(tokens):
                yield self._removing(*tokens[position].span)

    def _splices_of_named_vector(self, item: Item) -> Iterator[Splice]:
        """Yield the splices for a vector that gets a name: ``[ i s ] "foot" define``."""
        if item.kind != self._kind:
            return
        # The object knows only the token of its name: its brackets stand before that.
        end = self._positions[item.first.start] - 1
        if end < 0 or self._tokens[end].value != "]":
            return
        begin = end
        while begin > 0 and self._tokens[begin].value != "[":
            begin -= 1
        vector = item._replace(first=self._tokens[begin], last=self._tokens[end])
        yield from self._splices_of_types(vector)

    def _tokens_between(self, item: Item) -> Sequence[Token]:
        """Return the tokens of a vector between its brackets; none if only its name is written."""
        if item.first is item.last:
            return []
        first = self._positions[item.first.start]
        last = self._positions[item.last.start]
        tokens = self._tokens[first + 1 : last]
        assert isinstance(item.value, tuple), "brackets make vectors"
        if len(tokens) != len(item.value):
            return []  # the text writes it in a way of its own: the check of the result tells
        return tokens

    def _lowered(self, tokens: Sequence[Token]) -> Iterator[Splice]:
        """Yield the splices that lower by 1 the numbers of types above the removed one."""
        for token in tokens:
            if token.kind is TokenKind.NUMBER and int(token.value) > self._index:
                yield Splice(token.start, token.end, str(int(token.value) - 1))

    def _removing(self, start: int, end: int) -> Splice:
        """Return the splice that removes a piece of the text and the blanks behind it.

        At the end of a line the blanks before it are removed as well. A line that holds nothing
        else is removed with its line end.
        """
        text = self._text
        while text[end : end + 1] in (" ", "\t"):
            end += 1
        start_of_line = text.rfind("\n", 0, start) + 1
        is_alone = not text[start_of_line:start].strip(" \t") and text[end : end + 1] == "\n"
        if is_alone:
            return Splice(start_of_line, end + 1, "")
        if text[end : end + 1] == "\n":
            while text[start - 1] in (" ", "\t"):
                start -= 1
        return Splice(start, end, "")


def _without_overlaps(splices: set[Splice]) -> list[Splice]:
    """Return splices that change the same pieces of the text, but none of them twice.

    A splice within another one is dropped. Of two that overlap, the second begins where the first
    ends.
    """
    separate_splices: list[Splice] = []
    end_so_far = 0
    for splice in sorted(splices, key=lambda splice: (splice.start, -splice.end)):
        if splice.end > end_so_far:
            # Two statements of one line can both take out the blanks between them.
            separate_splices.append(splice._replace(start=max(splice.start, end_so_far)))
            end_so_far = splice.end
    return separate_splices


def _check_result(
    text: str, old_reading: Reading, kind: str, index: int, further: Mapping[str, str]
) -> str | NotPlain:
    """Return the text if its period is the old one without the type, else the reason."""
    old = old_reading.period
    name = old.types(kind)[index].name
    new_reading = read_traced(text, None, further)
    more_problems = Counter(problem.code for problem in new_reading.problems)
    more_problems.subtract(problem.code for problem in old_reading.problems)
    for problem in new_reading.problems:
        if more_problems[problem.code] > 0:
            return NotPlain(
                f"The period needs {name}. Without it: {problem.message.rstrip('.')}.", problem.line
            )
    if _is_without_type(old, new_reading.period, kind, index):
        return text
    return NotPlain(f"The period uses {name} in a way that cannot be taken out: change its text.")


def _is_without_type(old: Period, new: Period, kind: str, index: int) -> bool:
    """Return whether a period is another one without a type."""
    for other_kind in (UNITS, TERRAINS):
        expected_types = list(old.types(other_kind))
        if other_kind == kind:
            del expected_types[index]
        if list(new.types(other_kind)) != expected_types:
            return False
    if any(getattr(new, field) != getattr(old, field) for field in UNCHANGED_FIELDS):
        return False
    for word in value_words():
        expected_values = _values_without_type(old, word, kind, index)
        new_values = values_of(new, word)
        if new_values.shape != expected_values.shape:
            return False
        is_expected = new_values == expected_values
        if word.arguments[0] == kind:
            # A value that was the type has its default now, whatever that is.
            was_type = expected_values == _GONE
            is_expected |= was_type
        if not np.all(is_expected):
            return False
    return True


def _values_without_type(period: Period, word: Word, kind: str, index: int) -> Values:
    """Return the values of a word without those of a type; types behind it have lower numbers."""
    values = values_of(period, word).copy()
    # ``3 plains infantry moves``: the unit is the last index in a text, but the first axis.
    for axis, index_kind in enumerate(reversed(word.indices)):
        if index_kind == kind:
            values = np.delete(values, index, axis)
    if word.arguments[0] == kind:
        count = len(period.types(kind))
        is_gone = values == index
        is_behind = (values > index) & (values < count)
        values = np.where(is_behind, values - 1, values)
        values = np.where(is_gone, _GONE, values)
    return values
