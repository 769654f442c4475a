"""Finds the quotes that are missing in a period.

A text goes over line ends up to the next quote. Where one is missing all texts that follow are read
as words and the words as texts, so the first problems are often lines below the mistake.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from randomizer.model.problems import Problem, has_errors
from randomizer.systems.xconq.period.faults import problem
from randomizer.systems.xconq.period.objects import PeriodFile
from randomizer.systems.xconq.period.tokens import Token
from randomizer.systems.xconq.period.words import words


def missing_quote(file: PeriodFile, start: int) -> Problem:
    """Return the problem of a text without a closing quote; it begins at the offset ``start``.

    Its fix closes the text at the end of its first line, or before the word that takes it there,
    such as ``utype``.
    """
    line_end = file.text.find("\n", start)
    if line_end < 0:
        line_end = len(file.text)
    close = start + len(file.text[start:line_end].rstrip(" \t"))
    *_text, last_word = file.text[start:close].split(" ")
    if last_word in words():
        close -= len(last_word) + 1
    named = {"line": file.place(start, start).line}
    return problem("period-no-quote", file, (start, line_end), named, (close, close, '"'))


def tell_missing_quotes(
    files: Sequence[PeriodFile],
    texts_over_lines: Sequence[tuple[PeriodFile, Token]],
    problems: Sequence[Problem],
) -> list[Problem]:
    """Return the problems of a period with those of quotes that are likely to be missing in it.

    The first quote that is missing is told alone: after it texts and words are exchanged, so that
    all problems behind it follow from it.
    """
    if not has_errors(problems):
        return list(problems)
    for file, token in texts_over_lines:
        if _lacks_quote(file, token, problems):
            position = file.place(token.start, token.end)[:2]
            other_problems = []
            for other_problem in problems:
                # Such as a semicolon that got into the text.
                is_of_text = (other_problem.line, other_problem.column) == position
                is_in_file = other_problem.path == file.name
                if is_in_file and is_of_text:
                    continue
                is_behind = (other_problem.line or 0, other_problem.column or 0) > position
                if is_in_file and is_behind:
                    other_problem = replace(other_problem, follows=True)
                other_problems.append(other_problem)
            return [*other_problems, missing_quote(file, token.start)]
    return [*problems, *_odd_quotes(files, problems)]


def _lacks_quote(file: PeriodFile, token: Token, problems: Sequence[Problem]) -> bool:
    """Return whether a text over several lines probably lacks the quote that closes it.

    The quote at which it ends then opens the next text, which follows at once. A problem before it
    on its line means that a quote is missing further to the left.
    """
    next_character = file.text[token.end : token.end + 1]
    if not next_character or next_character in " \t\n;":
        return False
    line, column, _end_line, _end_column = file.place(token.start, token.end)
    for other_problem in problems:
        is_on_line = other_problem.path == file.name and other_problem.line == line
        if is_on_line and (other_problem.column or 0) < column:
            return False
    return True


def _odd_quotes(files: Sequence[PeriodFile], problems: Sequence[Problem]) -> list[Problem]:
    """Return a problem for each line with an odd number of quotes on which there are problems.

    A quote that is missing there is their likely reason. A text may also go over line ends: then
    such lines have no problems.
    """
    found = []
    lines_with_problems = set()
    for other_problem in problems:
        if other_problem.code != "period-no-quote":  # which tells it already
            lines_with_problems.add((other_problem.path, other_problem.line))
    for file in files:
        for line, text in enumerate(file.text.split("\n"), 1):
            code, _semicolon, _comment = text.partition(";")
            is_odd = code.count('"') % 2 == 1
            if is_odd and (file.name, line) in lines_with_problems:
                start = file.starts[line - 1]
                found.append(problem("period-odd-quotes", file, (start, start + len(text))))
    return found
