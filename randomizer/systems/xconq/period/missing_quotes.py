"""Finds the quotes that are missing in a period, a text in Xconq's language.

In a period a *text* in quotes may go over line ends: it ends at the next quote, wherever that is.
Where a quote is missing, all texts that follow are read as words and the words as texts, so the
first problems are often lines below the mistake::

    "sea" "water 5 utype        ; the closing quote is missing
    "land" "forest" 6 utype     ; read as: text `"water ... utype ..."`, word `land`, text `" "` ...

The idea: a text with both quotes is followed by white space. If one that goes over a line end is
followed by a letter instead, its closing quote is missing (``_lacks_quote``).

``read_traced`` passes all problems of a period through ``mark_missing_quotes``. That adds the
problem of the missing quote, and marks the others that follow from it. The interpreter calls
``missing_quote`` for a text that goes on to the end of the file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from randomizer.model.problems import Problem, has_errors
from randomizer.systems.xconq.period.faults import make_problem
from randomizer.systems.xconq.period.objects import PeriodFile
from randomizer.systems.xconq.period.quote_repair import likely_text, names_in
from randomizer.systems.xconq.period.tokens import Token
from randomizer.systems.xconq.period.words import words

NO_QUOTE = "period-no-quote"
"""The code of the problem of a text without a closing quote."""

ODD_QUOTES = "period-odd-quotes"
"""The code of the problem of a line with an odd number of quotes."""

_HIDDEN_BY_LAST_TEXT = ("period-no-end", "period-left-over")
"""The codes of problems at the end of a period, which a text without end has swallowed."""


def missing_quote(file: PeriodFile, start: int) -> Problem:
    """Return the problem of a text without a closing quote, whose first quote is at ``start``.

    Its fix closes the text at the end that ``likely_text`` finds, else at the end of its first
    line: ``"water`` becomes ``"water"``. A word of the language at the end of that line, such as
    ``utype``, stays outside of the text.
    """
    line_end = file.text.find("\n", start)
    if line_end < 0:
        line_end = len(file.text)
    line_start = file.text.rfind("\n", 0, start) + 1
    code, _semicolon, _comment = file.text[line_start:line_end].partition(";")
    quoted_text = likely_text(code, names_in(file.text))
    if quoted_text is not None and quoted_text.start == start - line_start:
        new_quote = line_start + quoted_text.end
    else:
        new_quote = start + len(file.text[start:line_end].rstrip(" \t"))
        _text, _blank, last_word = file.text[start:new_quote].rpartition(" ")
        if last_word in words():
            new_quote -= len(f" {last_word}")
    values = {"line": file.place(start, start).line}
    fix = (new_quote, new_quote, '"')
    return make_problem(NO_QUOTE, file, (start, line_end), values, fix)


def mark_missing_quotes(
    files: Sequence[PeriodFile],
    texts_over_lines: Sequence[tuple[PeriodFile, Token]],
    problems: Sequence[Problem],
) -> list[Problem]:
    """Return the problems of a period with those of quotes that are likely to be missing in it.

    ``texts_over_lines`` are the texts with a line end and their files, in the order in which they
    were read. Only the first text that lacks a quote has such a problem: behind it texts and words
    are exchanged, so that all problems there follow from it. A period without errors lacks none.
    """
    if not has_errors(problems):
        return list(problems)
    if any(problem.code == NO_QUOTE for problem in problems):
        # The last text goes on to the end of the file, with all that should stand behind it.
        marked_problems = []
        for problem in problems:
            if problem.code in _HIDDEN_BY_LAST_TEXT:
                marked_problems.append(_marked(problem))
            else:
                marked_problems.append(problem)
        return marked_problems
    for file, token in texts_over_lines:
        if _lacks_quote(file, token, problems):
            other_problems = _without_problems_of_text(problems, file, token)
            place = file.place(token.start, token.end)
            # Those behind the first quote of the text; at it there are none any more.
            marked_problems = _marked_from(other_problems, file, place.line, place.column)
            return [*marked_problems, missing_quote(file, token.start)]
    return _with_odd_quotes(files, problems)


def lack_quotes(problems: Sequence[Problem]) -> bool:
    """Return whether one of the problems is a missing quote: then texts and words are exchanged."""
    return any(problem.code in (NO_QUOTE, ODD_QUOTES) for problem in problems)


def _without_problems_of_text(
    problems: Sequence[Problem], file: PeriodFile, token: Token
) -> list[Problem]:
    """Return the problems without those of one text, which lacks its closing quote.

    A problem of it can be that a comment begins in the text, for example. That comment is in the
    text only because the quote before it is missing.
    """
    place = file.place(token.start, token.end)
    other_problems = []
    for problem in problems:
        is_in_file = problem.path == file.name
        has_its_line = problem.line == place.line
        has_its_column = problem.column == place.column
        if not (is_in_file and has_its_line and has_its_column):
            other_problems.append(problem)
    return other_problems


def _lacks_quote(file: PeriodFile, token: Token, problems: Sequence[Problem]) -> bool:
    """Return whether a text over several lines probably lacks the quote that closes it.

    A ``;`` counts as white space: it begins a comment, which may stand behind any text.
    """
    # Where the closing quote is missing, the text ends at the quote that opens the next text, whose
    # letters follow at once.
    next_character = file.text[token.end : token.end + 1]
    if not next_character or next_character in " \t\n;":
        return False
    # A problem before the text, on the same line, means that a quote is missing there already.
    place = file.place(token.start, token.end)
    for problem in problems:
        is_on_line = problem.path == file.name and problem.line == place.line
        if is_on_line and (problem.column or 0) < place.column:
            return False
    return True


def _with_odd_quotes(files: Sequence[PeriodFile], problems: Sequence[Problem]) -> list[Problem]:
    """Return problems with one for each line that has problems and an odd number of quotes.

    The missing quote is the likely reason of its problems. If its place can be found, the problems
    from that line on follow from it. A line with an odd number but without problems is right: a
    text over several lines begins or ends there.
    """
    lines_with_problems = {(problem.path, problem.line) for problem in problems}
    marked_problems = list(problems)
    for file in files:
        names = names_in(file.text)
        for line, text in enumerate(file.text.split("\n"), 1):
            code, _semicolon, _comment = text.partition(";")
            is_odd = code.count('"') % 2 == 1
            if not is_odd or (file.name, line) not in lines_with_problems:
                continue
            start = file.starts[line - 1]
            fix = None
            quoted_text = likely_text(code, names)
            if quoted_text is not None:
                fix = (start + quoted_text.start, start + quoted_text.end, quoted_text.text)
                marked_problems = _marked_from(marked_problems, file, line, column=0)
            span = (start, start + len(text))
            marked_problems.append(make_problem(ODD_QUOTES, file, span, fix=fix))
    return marked_problems


def _marked_from(
    problems: Sequence[Problem], file: PeriodFile, line: int, column: int
) -> list[Problem]:
    """Return problems, those of a file from a position on marked as consequences."""
    marked_problems = []
    for problem in problems:
        position = (problem.line or 0, problem.column or 0)  # 0: of the whole file
        if problem.path == file.name and position >= (line, column):
            marked_problems.append(_marked(problem))
        else:
            marked_problems.append(problem)
    return marked_problems


def _marked(problem: Problem) -> Problem:
    """Return a problem that follows from a missing quote: its own fixes would mend nothing."""
    return replace(problem, follows=True, fix=None, other_fixes=())
