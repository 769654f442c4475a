"""The tooltip of a position in the text of a script, as HTML.

It has a paragraph for each problem there, then one for each further text that is known about it::

    <p>There is no terrain Swap<br><i>Way out: Write Swamp</i></p><p>Places hazards.</p>
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from app.appearance.quotes import with_quotes
from randomizer.languages.language import Language
from randomizer.model.problems import Problem


def tooltip(
    problems: Iterable[Problem], further_texts: Iterable[str | None], language: Language
) -> str:
    """Return the tooltip; "" if there are no problems and no texts. "" and None are no texts.

    ``language`` explains the problems.
    """
    paragraphs = [_problem_paragraph(problem, language) for problem in problems]
    for text in further_texts:
        if text:
            paragraphs.append(escape(text))
    if not paragraphs:
        return ""
    return f"<p>{'</p><p>'.join(paragraphs)}</p>"


def _problem_paragraph(problem: Problem, language: Language) -> str:
    """Return HTML with a problem's message, its explanation, and the titles of its fixes."""
    lines = [escape(with_quotes(problem.message))]
    explanation = language.problem_help(problem.code)
    if explanation is not None:
        lines.append(escape(with_quotes(explanation)))
    for fix in problem.fixes:
        lines.append(f"<i>Way out: {escape(with_quotes(fix.title))}</i>")
    return "<br>".join(lines)
