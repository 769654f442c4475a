"""Problems of lists: hexes off the board, empty labels, functions without effect.

    LABEL rim = SUBSTRACT((anywhere),(inside))
    AREA D4 (1-2,3) SOMEOF(2,(rim)) HAZARDS Bog Bog

A list names hexes: by their names on the board (``D4``), by ranges of coordinates (``(1-2,3)``:
columns 1 to 2, row 3), by *labels*, which are names for lists (``(rim)``), and by functions of
lists. These are its *items*. The labels ``leftover`` and ``usedup`` are *live*: each AREA sets them
anew. ``lint`` calls ``list_problems``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from randomizer.model.basics.plurals import counted, many
from randomizer.model.problems import Problem
from randomizer.systems.colossus.script.list_bounds import LabelBounds, statements_with_bounds
from randomizer.systems.colossus.script.source import Source, replacement_edit
from randomizer.systems.colossus.script.syntax import (
    STAR,
    Area,
    HexItem,
    Item,
    Label,
    LabelItem,
    RangeItem,
    Script,
    SomeOf,
    Span,
    Statement,
    items_of,
    with_nested_items,
)
from randomizer.systems.colossus.script.words import (
    LIVE_LABELS,
    PREDEFINED_LABELS,
    is_word,
    nearest,
)

LAST_COORDINATE = 5
"""The x of the last column and the y of the last row of the board; the first ones are 0."""

Interval = tuple[int, int]
"""The first and the last x, or the first and the last y, of a range."""

_SOME_OF = re.compile(
    r"""SOMEOF \s*+ \( \s*+
    [0-9]++ \s*+ ,     # the count
    (.*)              # the list
    \)""",
    re.DOTALL | re.VERBOSE,
)
"""Matches a SOMEOF with its list as group 1."""


def list_problems(script: Script, source: Source, broken: frozenset[str]) -> Iterator[Problem]:
    """Yield all problems of the lists of ``script``.

    ``broken`` are labels whose contents are unknown, because the statement that sets them did not
    parse.
    """
    linter = _ListLinter(script, source, broken)
    # ``bounds`` are the shortest and longest contents that labels can have before a statement.
    for statement, bounds in statements_with_bounds(script, broken):
        yield from linter.problems_of(statement, bounds)


class _ListLinter:
    """Checks the lists of statements, which it is given in the order of the text.

    What a label means depends on the statements before, so the fields hold what those have set.
    """

    def __init__(self, script: Script, source: Source, broken: frozenset[str]) -> None:
        self.script = script
        self.source = source
        self.broken = broken
        """The labels whose contents are unknown; see ``list_problems``."""
        self.names_in_script = {
            statement.name for statement in script.statements if isinstance(statement, Label)
        }
        """The labels that the script defines anywhere."""
        self.defined_names = dict.fromkeys((*PREDEFINED_LABELS, *sorted(broken)))
        """The labels that are defined so far, as keys of a dict without values.

        A dict keeps their order, in which the nearest name is looked for, and is quick to search in
        a script with thousands of labels.
        """
        self.last_area: Area | None = None
        """The AREA that has set the labels leftover and usedup; None before the first."""
        self.is_last_area_empty = False
        """True if the list of that AREA is always empty: then these labels are empty, too."""

    def problems_of(self, statement: Statement, bounds: LabelBounds) -> Iterator[Problem]:
        """Yield the problems of a statement's list, and note what the statement sets."""
        problems: list[Problem] = []
        for item in with_nested_items(items_of(statement)):
            problems += self._item_problems(item, bounds)
        yield from problems
        match statement:
            case Label(name=name):
                self.defined_names[name] = None
            case Area(items=items):
                self.last_area = statement
                self.is_last_area_empty = bounds.of_list(items).largest_length == 0
                # If an item has a problem, that has told already why the list is empty.
                if self.is_last_area_empty and not problems:
                    yield self.source.problem("area-always-empty", self._head(statement))

    def _head(self, area: Area) -> Span:
        """Return the span of an AREA up to HAZARDS."""
        start, _ = self.source.offsets(area.span)
        head = self.source.text_at(area.span).split("HAZARDS")[0]
        return self.source.span(start, start + len(head.rstrip()))

    def _item_problems(self, item: Item, bounds: LabelBounds) -> Iterator[Problem]:
        """Yield the problems of an item, without those of the items in its parentheses."""
        match item:
            case HexItem(hexes=()):
                edits = [replacement_edit(item.span, " ")]
                yield self.source.problem("hex-off-board", item.span, edits, label=item.label)
            case RangeItem():
                yield from self._range_problems(item)
            case LabelItem():
                yield from self._label_problems(item)
            case SomeOf():
                yield from self._some_of_problems(item, bounds)

    def _range_problems(self, item: RangeItem) -> Iterator[Problem]:
        """Yield the worst problem of a range; its fix writes the range that was probably meant."""
        span = item.span
        # The bounds of x, then those of y.
        coordinates = ((item.first_x, item.last_x), (item.first_y, item.last_y))
        if any(STAR in bounds for bounds in coordinates):
            intended = [_without_star(bounds) for bounds in coordinates]
            edits = [replacement_edit(span, _range_text(intended))]
            yield self.source.problem("star-in-coordinates", span, edits)
        elif any(first > last for first, last in coordinates):
            ascending = [(min(bounds), max(bounds)) for bounds in coordinates]
            edits = [replacement_edit(span, _range_text(ascending))]
            yield self.source.problem("range-reversed", span, edits)
        elif not item.hexes:
            yield self.source.problem("range-off-board", span, [replacement_edit(span, " ")])
        elif any(last > LAST_COORDINATE for _first, last in coordinates):
            on_board = [(first, min(last, LAST_COORDINATE)) for first, last in coordinates]
            edits = [replacement_edit(span, _range_text(on_board))]
            yield self.source.problem("coordinate-off-board", span, edits)
        else:
            yield from self._problem_of_corners(item)

    def _problem_of_corners(self, item: RangeItem) -> Iterator[Problem]:
        """Yield the problem of a range that reaches over the corners of the board.

        The board has six columns and rows, but no hexes at its corners.
        """
        columns = item.last_x - item.first_x + 1
        rows = item.last_y - item.first_y + 1
        positions = columns * rows
        missing_hexes = positions - len(item.hexes)
        if missing_hexes:
            yield self.source.problem(
                "range-partly-off-board",
                item.span,
                missing_places=counted(missing_hexes, "place"),
                position_count=positions,
                lie=many(missing_hexes, "lies", "lie"),
                are=many(missing_hexes, "is", "are"),
            )

    def _label_problems(self, item: LabelItem) -> Iterator[Problem]:
        """Yield the problem of a label that is not set here, or empty."""
        name = item.name
        if name in LIVE_LABELS and name not in self.broken:
            if self.last_area is None:
                yield self.source.problem("no-area-before", item.span, name=name)
            elif self.is_last_area_empty:
                line = self.last_area.span.line
                yield self.source.problem("after-empty-area", item.span, name=name, line=line)
        elif name not in self.defined_names:
            yield self._undefined_label(item)

    def _undefined_label(self, item: LabelItem) -> Problem:
        """Return the problem of a label that is set later, or never.

        If it is never set, the fix writes the label that was probably meant.
        """
        name = item.name
        candidates = [label for label in self.defined_names if is_word(label)]
        similar_name = nearest(name, candidates)
        code = "unknown-label"
        edits = []
        if name in self.names_in_script:
            code = "label-used-too-early"
        elif similar_name:
            edits = [replacement_edit(item.span, f"({similar_name})")]
        return self.source.problem(code, item.span, edits, name=name, meant=similar_name)

    def _some_of_problems(self, item: SomeOf, bounds: LabelBounds) -> Iterator[Problem]:
        """Yield the problem of a SOMEOF that draws no hex, or all hexes of its list."""
        largest_length = bounds.of_list(item.items).largest_length
        if item.count <= 0:
            yield self.source.problem("someof-takes-none", item.span)
        elif 0 < largest_length <= item.count:
            edits = []
            written = _SOME_OF.fullmatch(self.source.text_at(item.span))
            if written:
                edits = [replacement_edit(item.span, written[1].strip())]
            yield self.source.problem("someof-takes-all", item.span, edits, most=largest_length)


def _without_star(bounds: Interval) -> Interval:
    """Return the bounds that a range with ``*`` meant: from or up to the end of the board."""
    first, last = bounds
    if first == STAR:
        first = 0
    if last == STAR:
        last = LAST_COORDINATE
    return first, last


def _range_text(coordinates: Sequence[Interval]) -> str:
    """Return a range as the language writes it: ``(2,1-3)`` for ((2, 2), (1, 3))."""
    texts = []
    for first, last in coordinates:
        if first == last:
            texts.append(str(first))
        else:
            texts.append(f"{first}-{last}")
    return f"({','.join(texts)})"
