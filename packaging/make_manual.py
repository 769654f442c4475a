"""Write the reference parts of the manual: ``python3 packaging/make_manual.py``.

What the manual says about words and problems of the script languages is what the desk says: the
sentences of ``randomizer/systems/colossus/script/messages.json``, and of ``words.tsv`` and
``messages.json`` in ``randomizer/systems/xconq/period``. They stand between two markers in the
pages; the rest of a page is written by hand.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from randomizer.systems.colossus.script.message_texts import messages  # noqa: E402
from randomizer.systems.colossus.script.words import FUNCTIONS, KEYWORDS, PREDEFINED_LABELS  # noqa: E402
from randomizer.systems.xconq.language.hover import default_text, word_remarks  # noqa: E402
from randomizer.systems.xconq.period import faults  # noqa: E402
from randomizer.systems.xconq.period.words import Word, words  # noqa: E402

MANUAL = ROOT / "docs" / "manual"
SEVERITIES = {
    "error": "Errors",
    "warning": "Warnings: probably not what you meant, or not what the game does",
    "hint": "Hints: it works, but look again",
}

PART = re.compile(r"(<!-- generated: ([a-z]+) -->\n).*?(<!-- end of generated -->)", re.DOTALL)
STEP = re.compile(r"^```rnd step\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def steps_of_the_example() -> list[str]:
    """The lines that each step of the language page's example adds to the script."""
    return STEP.findall((MANUAL / "language.md").read_text(encoding="utf-8"))


def renewed(page: str) -> str:
    """The text of a page with its generated parts as they should be."""
    return PART.sub(lambda found: f"{found[1]}{PARTS[found[2]]()}\n{found[3]}", page)


def words_of(names: Iterable[str]) -> str:
    """A list of words with their sentences and examples."""
    rows = []
    for name in names:
        word = messages()["words"][name]
        rows.append(f"- `{name}` {_escaped(word['help'])}\n  For instance `{word['example']}`")
    return "\n".join(rows)


def problems() -> str:
    """Every problem message with its help, by severity."""
    return _problems_of(messages()["problems"])


def period_words() -> str:
    """Every word of the period language by group: arguments, meaning, default, remarks."""
    groups: dict[str, list[str]] = {}
    for word in words().values():
        groups.setdefault(word.group, []).append(_period_word(word))
    return "\n\n".join(f"### {group}\n\n" + "\n".join(rows) for group, rows in groups.items())


def _period_word(word: Word) -> str:
    default = default_text(word)
    parts = [f"*{word.title}.*", _escaped(word.help), *([f"Default: {default}."] * bool(default))]
    return f"- `{word.usage}` {' '.join([*parts, *word_remarks(word)])}"


def period_problems() -> str:
    """Every problem of a period with its help, by severity."""
    return _problems_of(faults.messages())


def _problems_of(known: Mapping[str, Mapping[str, str]]) -> str:
    """The messages of problems by severity; ``known`` are their messages and help by code."""
    sections = []
    for severity, heading in SEVERITIES.items():
        rows = [
            f"- *{_without_names(problem['message'])}*\n  {_escaped(problem['help'])} (`{code}`)"
            for code, problem in known.items()
            if problem["severity"] == severity
        ]
        sections.append(f"## {heading}\n\n" + "\n".join(rows))
    return "\n\n".join(sections)


def _without_names(message: str) -> str:
    """A message with dots where the desk names what it found."""
    plain = re.sub(r"`?\{[a-z_]+\}`?", "…", message)
    return _escaped(plain)


def _escaped(sentence: str) -> str:
    """The sentence as Markdown: no star or underline of it means anything, except in code."""
    parts = re.split(r"(`[^`]*`)", sentence)
    return "".join(
        part if part.startswith("`") else re.sub(r"([*_<>])", r"\\\1", part) for part in parts
    )


PARTS = {
    "keywords": lambda: words_of(word for word in KEYWORDS if word not in FUNCTIONS),
    "functions": lambda: words_of(FUNCTIONS),
    "labels": lambda: words_of(PREDEFINED_LABELS),
    "problems": problems,
    "periodwords": period_words,
    "periodproblems": period_problems,
}


def main() -> int:
    """Renew every page that has generated parts."""
    for path in sorted(MANUAL.glob("*.md")):
        page = path.read_text(encoding="utf-8")
        new = renewed(page)
        if new != page:
            path.write_text(new, encoding="utf-8")
            print(f"renewed {path.name}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
