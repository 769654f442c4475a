"""Problems of LABEL statements: labels that nothing uses, or that are set again.

    LABEL shore = A1 A2          # never used, since the next line sets it again
    LABEL shore = A1 A2 A3
    AREA (shore) HAZARDS Sand

``lint`` calls ``label_problems``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from randomizer.model.problems import Problem
from randomizer.systems.colossus.script.source import Source
from randomizer.systems.colossus.script.syntax import (
    Label,
    LabelItem,
    Script,
    items_of,
    with_nested_items,
)
from randomizer.systems.colossus.script.words import PREDEFINED_LABELS


def label_problems(script: Script, source: Source) -> Iterator[Problem]:
    """Yield the problems of LABEL statements.

    A label may be never used, or be set again before it is used, or be one that the language
    predefines. A label that a broken statement mentions may be used there; then it is no problem.
    """
    unused: dict[str, Label] = {}  # the labels that no statement has used since they were set
    names_in_broken_statements = _names_in_broken_statements(script, source)
    for statement in script.statements:
        for item in with_nested_items(items_of(statement)):
            if isinstance(item, LabelItem):
                unused.pop(item.name, None)
        if not isinstance(statement, Label):
            continue
        name = statement.name
        if name in PREDEFINED_LABELS:
            yield source.problem("predefined-label-redefined", statement.name_span, name=name)
        if name in unused:
            line = statement.span.line
            span = unused[name].name_span
            yield source.problem("label-redefined-unused", span, name=name, line=line)
        if name not in names_in_broken_statements:
            unused[name] = statement
    for name, label in unused.items():
        yield source.problem("label-never-used", label.name_span, name=name)


def _names_in_broken_statements(script: Script, source: Source) -> set[str]:
    """Return the labels that broken statements mention.

    Such statements are not parsed. So these are the labels that the text mentions more often than
    its parsed statements do.
    """
    parsed_mentions: Counter[str] = Counter()
    for statement in script.statements:
        if isinstance(statement, Label):
            parsed_mentions[statement.name] += 1
        for item in with_nested_items(items_of(statement)):
            if isinstance(item, LabelItem):
                parsed_mentions[item.name] += 1
    return {
        name for name, spans in source.label_places.items() if len(spans) > parsed_mentions[name]
    }
