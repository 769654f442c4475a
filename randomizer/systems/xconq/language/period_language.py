"""The language of ``.per`` scripts: the words of periods, as files that can include others.

A period is the rules of a game of Xconq. ``PeriodLanguage`` is what the editor knows of the
language: it calls the modules of this room, each of which answers one kind of question::

    completions     the words that fit before the cursor
    hover           help on the word under the mouse
    period_text     where a name is defined and used, and whether it can get another name
    dump            all values of a period, and its tokens in the order of execution
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from randomizer.languages.language import Completion, Language, SourceText, TextPlace, line_pieces
from randomizer.model.problems import Problem, Severity
from randomizer.systems.xconq.advice.period_advice import period_advice
from randomizer.systems.xconq.header import read_header
from randomizer.systems.xconq.language import completions, dump, hover, period_text
from randomizer.systems.xconq.period import faults
from randomizer.systems.xconq.period.reading import read_period, reading_of
from randomizer.systems.xconq.period.tokens import BEGIN_NOTES, END_NOTES
from randomizer.systems.xconq.period.words import words


class PeriodLanguage(Language):
    """The language of periods for editors: each method asks one of the modules of this package."""

    manual_page = "worlds-of-xconq.md"
    pieces = line_pieces(";", r'"[^";]*"?', r'[^\s;"0-9+-][^\s;]*', r"[+-]?[0-9]+%*")
    raw_lines = (BEGIN_NOTES, END_NOTES)

    @cached_property
    def keywords(self) -> frozenset[str]:  # type: ignore[override]  # a table, read when asked for
        return frozenset(words())

    def check(self, source: SourceText) -> tuple[Problem, ...]:
        """Return all problems, those of included files where they are included.

        A period without errors is checked against the document's advice, too.
        """
        period, problems = read_period(source.text, source.path, source.texts)
        all_problems = list(problems)
        if period is not None:
            for advice in period_advice(period):
                if advice.path:  # advice about an included file
                    all_problems.append(advice)
                else:
                    all_problems.append(advice.at_path(source.path))
        problems_in_text = []
        for problem in all_problems:
            problem_in_text = _problem_in_text(problem, source.text, source.texts, source.path)
            if problem_in_text is not None:
                problems_in_text.append(problem_in_text)
        return tuple(sorted(problems_in_text, key=faults.text_order_key))

    def problem_help(self, code: str) -> str | None:
        return faults.problem_help(code)

    def completions(self, source: SourceText, line: int, column: int) -> tuple[Completion, ...]:
        return completions.completions(source, line, column)

    def help_at(self, source: SourceText, line: int, column: int) -> str | None:
        return hover.help_at(source.text, line, column, source.texts)

    def definition(self, source: SourceText, line: int, column: int) -> TextPlace | None:
        return period_text.definition(source.text, line, column, source.texts)

    def references(self, source: SourceText, line: int, column: int) -> tuple[TextPlace, ...]:
        return period_text.references(source.text, line, column, source.texts)

    def name_fault(self, source: SourceText, name: str, new_name: str) -> str:
        return period_text.name_fault(source.text, name, new_name, source.texts)

    def values(self, source: SourceText) -> tuple[str, ...]:
        reading = reading_of(source.text, None, source.texts)
        return (*reading.console, *dump.dump_lines(reading.period))

    def trace(self, source: SourceText) -> tuple[str, ...]:
        return tuple(dump.trace_lines(source.text, None, source.texts))


def _problem_in_text(
    problem: Problem, text: str, texts: Mapping[str, str], path: str | None
) -> Problem | None:
    """Return a problem at its position in the text itself.

    An error of an included file is put at the line that includes the file. A warning or hint of
    such a file is left out: None.
    """
    if problem.path == path or problem.path not in texts:
        return problem
    if problem.severity is not Severity.ERROR:
        return None
    header, _problems = read_header(text.split("\n"))
    assert header is not None, "the header was read before the included files"
    names = header.includes
    # A file that is included by an included one has no line here: its errors are put at the first
    # include, whichever leads to it.
    index = 0
    if problem.path in names:
        index = names.index(problem.path)
    line = header.next_line - len(names) + index + 1
    message = f"{problem.path}, line {problem.line}: {problem.message}"
    span = (path, line, 1, line, len(names[index]) + 1)
    return Problem(Severity.ERROR, problem.code, message, *span)
