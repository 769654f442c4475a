"""Removes a type from the text of a period, with all statements about it::

    "T" "tank" "" utype                 ; removed: the definition
    2 tank speed                        ; removed: a statement about this type alone
    [ 1 2 4 ] [ i T a ] hp              ; becomes [ 1 4 ] [ i a ] hp
    5 3 speed                           ; becomes 5 2 speed: type 3 has the number 2 without T

    text = remove_type(text, UNITS, tank_number)

The text is changed by *splices*, replacements of single pieces, so that all else stays as it was
written. The new text is read and compared with the old one (``removal_check``), so that nothing
else can change unnoticed. If a text cannot be changed in this way, the result is a ``NotPlain``
with the reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from randomizer.model.map.layer import NO_TEXTS
from randomizer.model.problems import has_errors
from randomizer.systems.xconq.period.objects import Assignment, Item, PeriodFile, TypeDefinition
from randomizer.systems.xconq.period.reading import Reading, read_traced
from randomizer.systems.xconq.period.removal_check import is_period_without_type
from randomizer.systems.xconq.period.text_splices import (
    NotPlain,
    Splice,
    removal_splice,
    splice_text,
    without_overlaps,
)
from randomizer.systems.xconq.period.tokens import Token, TokenKind
from randomizer.systems.xconq.period.words import words


def remove_type(
    text: str, kind: str, index: int, further: Mapping[str, str] = NO_TEXTS
) -> str | NotPlain:
    """Return the text without a type, or the reason why it cannot be removed.

    ``kind`` is UNITS or TERRAINS, ``index`` the number of the type. Comments stay. ``further`` are
    the texts of included files by name.
    """
    own_tokens: list[Token] = []

    def note_token(file: PeriodFile, token: Token) -> None:
        """Note a token of the period's own text; those of included files cannot be changed."""
        if file.name is None:
            own_tokens.append(token)

    reading = read_traced(text, None, further, note_token)
    if has_errors(reading.problems):
        return NotPlain("The period has errors.")
    if len(reading.period.types(kind)) == 1:
        return NotPlain(f"A period needs a {kind} type.")
    definition = reading.types[kind][index]
    file = definition.file
    if file.name is not None:
        line = file.place(*definition.token.span).line
        return NotPlain(f"It is defined in {file.name}, line {line}.", line, file.name)

    removal = _Removal(reading, own_tokens, kind, index)
    new_text = splice_text(file.text, removal.splices())
    new_reading = read_traced(new_text, None, further)
    reason = _reason_against(new_reading, reading, kind, index)
    if reason is not None:
        return reason
    return new_text


def _reason_against(
    new_reading: Reading, old_reading: Reading, kind: str, index: int
) -> NotPlain | None:
    """Return why a text is not the old one without the type, None if it is."""
    name = old_reading.period.types(kind)[index].name

    # Such as a name that stood for the type, and is used where it is unknown now.
    more_problems = Counter(problem.code for problem in new_reading.problems)
    more_problems.subtract(problem.code for problem in old_reading.problems)
    for problem in new_reading.problems:
        if more_problems[problem.code] > 0:
            return NotPlain(
                f"The period needs {name}. Without it: {problem.message.rstrip('.')}.", problem.line
            )

    if not is_period_without_type(new_reading.period, old_reading.period, kind, index):
        return NotPlain(
            f"The period uses {name} in a way that cannot be taken out: change its text."
        )
    return None


class _Removal:
    """Collects the splices that remove a type from the period's own text."""

    def __init__(self, reading: Reading, tokens: Sequence[Token], kind: str, index: int) -> None:
        self._reading = reading
        self._tokens = tokens
        """The tokens of the period's own text."""
        self._kind = kind
        self._index = index
        """The number of the type."""
        self._positions = {token.start: position for position, token in enumerate(tokens)}
        """The positions in ``tokens``, by the offsets of the tokens."""
        self._text = reading.period.files[-1].text  # the files that it includes come before it

    def splices(self) -> list[Splice]:
        """Return all splices, which do not overlap."""
        splices = {self._definition_splice(self._reading.types[self._kind][self._index])}
        for assignment in self._reading.period.assignments:
            if assignment.file.name is None:
                splices.update(self._assignment_splices(assignment))
        for definition in self._reading.names.values():
            is_vector = isinstance(definition.item.value, tuple)
            if definition.file.name is None and is_vector:
                splices.update(self._named_vector_splices(definition.item))
        return without_overlaps(splices)

    # --- the three kinds of statements ---

    def _definition_splice(self, definition: TypeDefinition) -> Splice:
        """Return the splice that removes a definition: ``"T" "tank" "" utype``."""
        name_position = self._positions[definition.token.start]
        character = self._tokens[name_position - 1]
        utype_word = self._tokens[name_position + 2]  # behind the help text
        return removal_splice(self._text, character.start, utype_word.end)

    def _assignment_splices(self, assignment: Assignment) -> Iterator[Splice]:
        """Yield the splices that remove the type from a statement that sets a value."""
        word = words()[assignment.word]
        value = assignment.value
        index_kinds = word.last_indices(len(assignment.indices))
        indices_of_kind = []  # those that can be the type, or vectors with it
        for index_kind, item in zip(index_kinds, assignment.indices, strict=True):
            if index_kind == self._kind:
                indices_of_kind.append(item)
        is_value_of_kind = word.arguments[0] == self._kind

        # ``2 T speed``, or ``T first-unit``: a statement about this type alone goes as a whole.
        is_about_type_alone = any(self._is_type_alone(item) for item in indices_of_kind)
        if is_about_type_alone or (is_value_of_kind and value.value == self._index):
            yield removal_splice(self._text, value.first.start, assignment.token.end)
            return

        # ``2 [ i T a ] speed``: of a statement about several types this one goes.
        for item in indices_of_kind:
            yield from self._object_splices(item)
        if is_value_of_kind:
            yield from self._object_splices(value)

        # ``[ 1 2 4 ] [ i T a ] hp``: with the type T goes its value 2. A vector of values belongs
        # to the only index that is a vector, which can also be one with types of the other kind.
        vectors = [item for item in assignment.indices if isinstance(item.value, tuple)]
        if isinstance(value.value, tuple) and len(vectors) == 1 and vectors[0] in indices_of_kind:
            yield from self._entry_splices(value, self._positions_of_type(vectors[0]))

    def _named_vector_splices(self, item: Item) -> Iterator[Splice]:
        """Yield the splices for a vector that gets a name: ``[ i s ] "foot" define``."""
        if item.kind != self._kind:
            return
        # The object knows only the token of its name, "foot": its brackets stand before that.
        end = self._positions[item.first.start] - 1
        if end < 0 or self._tokens[end].value != "]":
            return
        begin = end
        while begin > 0 and self._tokens[begin].value != "[":
            begin -= 1
        vector = item._replace(first=self._tokens[begin], last=self._tokens[end])
        yield from self._object_splices(vector)

    # --- the objects in a statement ---

    def _is_type_alone(self, item: Item) -> bool:
        """Return whether an index is the type and no other: ``T`` or ``[ T ]``."""
        if isinstance(item.value, tuple):
            return set(item.value) == {self._index}
        return item.value == self._index

    def _object_splices(self, item: Item) -> Iterator[Splice]:
        """Yield the splices for an object that is a type, or a vector of types.

        They remove the type, and lower the numbers of those above it.
        """
        if isinstance(item.value, tuple):
            yield from self._number_splices(self._tokens_between_brackets(item))
            yield from self._entry_splices(item, self._positions_of_type(item))
        else:
            yield from self._number_splices([item.first])

    def _positions_of_type(self, item: Item) -> list[int]:
        """Return the positions of the type in a vector of types."""
        assert isinstance(item.value, tuple), "only vectors have positions"
        return [position for position, number in enumerate(item.value) if number == self._index]

    def _entry_splices(self, vector: Item, positions: Sequence[int]) -> Iterator[Splice]:
        """Yield the splices that remove the entries at these positions between brackets."""
        tokens = self._tokens_between_brackets(vector)
        for position in positions:
            if position < len(tokens):
                yield removal_splice(self._text, *tokens[position].span)

    def _number_splices(self, tokens: Sequence[Token]) -> Iterator[Splice]:
        """Yield the splices that lower by 1 the numbers of types above the removed one."""
        for token in tokens:
            if token.kind is TokenKind.NUMBER and int(token.value) > self._index:
                yield Splice(token.start, token.end, str(int(token.value) - 1))

    def _tokens_between_brackets(self, vector: Item) -> Sequence[Token]:
        """Return the token of each entry of a vector; none where no token is an entry.

        That is so for a vector by its name, ``u*``, and for one with words that compute its
        entries: then the check of the new text tells whether it is still right.
        """
        if vector.first is vector.last:
            return []
        first = self._positions[vector.first.start]
        last = self._positions[vector.last.start]
        tokens = self._tokens[first + 1 : last]
        assert isinstance(vector.value, tuple), "brackets make vectors"
        if len(tokens) != len(vector.value):
            return []
        return tokens
