"""Problems of lists: hexes off the board, empty labels, functions without effect."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from randomizer.model.basics.plurals import counted, many
from randomizer.model.problems import Problem
from randomizer.systems.colossus.script.list_bounds import Known, statements_with_bounds
from randomizer.systems.colossus.script.source import Source, replace
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
    StartList,
    Statement,
    Subtract,
)
from randomizer.systems.colossus.script.words import (
    LIVE_LABELS,
    PREDEFINED_LABELS,
    is_word,
    nearest,
)

LAST_COORDINATE = 5


def list_problems(script: Script, source: Source, broken: frozenset[str]) -> Iterator[Problem]:
    """Yield all problems of the lists of ``script``.

    ``broken`` are labels whose contents are unknown, because the statement that sets them did not
    parse.
    """
    yield from _Lists(script, source, broken).problems()
    yield from _idle_labels(script, source)


class _Lists:
    def __init__(self, script: Script, source: Source, broken: frozenset[str]) -> None:
        self.script = script
        self.source = source
        self.broken = broken
        self.all_names = {s.name for s in script.statements if isinstance(s, Label)}
        # Names only; a dict keeps their order and finds one among thousands.
        self.defined = dict.fromkeys((*PREDEFINED_LABELS, *sorted(broken)))
        self.last_area: Area | None = None
        self.last_area_empty = False

    def problems(self) -> Iterator[Problem]:
        for statement, bounds in statements_with_bounds(self.script, self.broken):
            problems = [
                problem
                for item in _all_items(lists_of(statement))
                for problem in self._item(item, bounds)
            ]
            yield from problems
            match statement:
                case Label(name=name):
                    self.defined[name] = None
                case Area(items=items):
                    self.last_area = statement
                    self.last_area_empty = bounds.of(items).most == 0
                    if self.last_area_empty and not problems:  # else the reason has been reported
                        yield self.source.problem("area-always-empty", self._head(statement))

    def _head(self, area: Area) -> Span:
        """Return the place of an AREA up to HAZARDS."""
        start, _ = self.source.offsets(area.span)
        head = self.source.text_at(area.span).split("HAZARDS")[0]
        return self.source.span(start, start + len(head.rstrip()))

    def _item(self, item: Item, bounds: Known) -> Iterator[Problem]:
        match item:
            case HexItem(hexes=()):
                edits = [replace(item.span, " ")]
                yield self.source.problem("hex-off-board", item.span, edits, label=item.label)
            case RangeItem():
                yield from self._range(item)
            case LabelItem():
                yield from self._label(item)
            case SomeOf():
                yield from self._some_of(item, bounds)

    def _range(self, item: RangeItem) -> Iterator[Problem]:
        span = item.span
        bounds = [[item.first_x, item.last_x], [item.first_y, item.last_y]]
        if any(STAR in pair for pair in bounds):
            # Meant was: everything below, everything above, or all.
            meant = [
                [0 if first == STAR else first, LAST_COORDINATE if last == STAR else last]
                for first, last in bounds
            ]
            yield self.source.problem("star-in-coordinates", span, [replace(span, _range(meant))])
        elif any(first > last for first, last in bounds):
            meant = [sorted(pair) for pair in bounds]
            yield self.source.problem("range-reversed", span, [replace(span, _range(meant))])
        elif not item.hexes:
            yield self.source.problem("range-off-board", span, [replace(span, " ")])
        elif any(last > LAST_COORDINATE for _, last in bounds):
            meant = [[first, min(last, LAST_COORDINATE)] for first, last in bounds]
            edits = [replace(span, _range(meant))]
            yield self.source.problem("coordinate-off-board", span, edits)
        else:
            columns, rows = (last - first + 1 for first, last in bounds)
            beyond = columns * rows - len(item.hexes)
            if beyond:
                yield self.source.problem(
                    "range-partly-off-board",
                    span,
                    places=counted(beyond, "place"),
                    of=columns * rows,
                    lie=many(beyond, "lies", "lie"),
                    are=many(beyond, "is", "are"),
                )

    def _label(self, item: LabelItem) -> Iterator[Problem]:
        name = item.name
        span = item.span
        if name in LIVE_LABELS and name not in self.broken:
            if self.last_area is None:
                yield self.source.problem("no-area-before", span, name=name)
            elif self.last_area_empty:
                line = self.last_area.span.line
                yield self.source.problem("after-empty-area", span, name=name, line=line)
        elif name not in self.defined:
            if name in self.all_names:
                code = "label-used-too-early"
            else:
                code = "unknown-label"
            meant = nearest(name, [label for label in self.defined if is_word(label)])
            if meant and code == "unknown-label":
                edits = [replace(span, f"({meant})")]
            else:
                edits = []
            yield self.source.problem(code, span, edits, name=name, meant=meant)

    def _some_of(self, item: SomeOf, bounds: Known) -> Iterator[Problem]:
        most = bounds.of(item.items).most
        if item.count <= 0:
            yield self.source.problem("someof-takes-none", item.span)
        elif 0 < most <= item.count:
            inner = re.fullmatch(
                r"SOMEOF\s*+\(\s*+[0-9]++\s*+,(.*)\)", self.source.text_at(item.span), re.DOTALL
            )
            if inner:
                edits = [replace(item.span, inner[1].strip())]
            else:
                edits = []
            yield self.source.problem("someof-takes-all", item.span, edits, most=most)


def lists_of(statement: Statement) -> tuple[tuple[Item, ...], ...]:
    """Return the lists that a statement evaluates."""
    match statement:
        case Area(items=items) | Label(items=items) | StartList(items=items):
            return (items,)
        case _:
            return ()


def _all_items(lists: Iterable[tuple[Item, ...]]) -> Iterator[Item]:
    for items in lists:
        for item in items:
            yield item
            if isinstance(item, Subtract):
                yield from _all_items((item.items, item.without))
            elif not isinstance(item, HexItem | RangeItem | LabelItem):
                yield from _all_items((item.items,))


def _idle_labels(script: Script, source: Source) -> Iterator[Problem]:
    """Labels that are never used or defined again before a use; predefined ones defined again."""
    waiting: dict[str, Label] = {}
    elsewhere = _label_places_outside(script, source)
    for statement in script.statements:
        for item in _all_items(lists_of(statement)):
            if isinstance(item, LabelItem):
                waiting.pop(item.name, None)
        if isinstance(statement, Label):
            name = statement.name
            place = statement.name_span
            if name in PREDEFINED_LABELS:
                yield source.problem("predefined-label-redefined", place, name=name)
            if name in waiting:
                line = statement.span.line
                earlier = waiting[name].name_span
                yield source.problem("label-redefined-unused", earlier, name=name, line=line)
            if name not in elsewhere:
                waiting[name] = statement
    for name, label in waiting.items():
        yield source.problem("label-never-used", label.name_span, name=name)


def _label_places_outside(script: Script, source: Source) -> set[str]:
    """Return the labels that occur in the text in statements that did not parse."""
    read = Counter(
        item.name
        for statement in script.statements
        for item in _all_items(lists_of(statement))
        if isinstance(item, LabelItem)
    )
    read.update(statement.name for statement in script.statements if isinstance(statement, Label))
    return {name for name, places in source.label_places.items() if len(places) > read[name]}


def _range(bounds: Iterable[Iterable[int]]) -> str:
    """Return a range in the syntax of the language."""
    return "({})".format(",".join("-".join(map(str, dict.fromkeys(pair))) for pair in bounds))
