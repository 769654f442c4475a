"""The language of random map scripts of 0 A.D.: JavaScript, and what the game adds to it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from randomizer.languages.language import Completion, Language, SourceText, matching_completions
from randomizer.model.problems import Problem
from randomizer.systems.zeroad.script.engine_words import GLOBALS, OWNERS, Word
from randomizer.systems.zeroad.script.script_check import metadata_of_script, script_problems
from randomizer.systems.zeroad.script.script_place import place_of_file

_KEYWORDS = """
    async await break case catch class const continue debugger default delete do else export
    extends false finally for from function if import in instanceof let new null of return
    static super switch this throw true try typeof undefined var void while with yield
"""
_BEFORE = re.compile(r"(?:(?<![\w$.])([A-Za-z_$][\w$]*)(\.))?(?<![\w$])([\w$]*)$")
_WORD = re.compile(r"[\w$]+")
_NO_WORDS: Mapping[str, Word] = {}


class ScriptLanguage(Language):
    """JavaScript; further texts are a script's metadata and libraries."""

    keywords = tuple(_KEYWORDS.split())
    pieces = re.compile(
        r"""(?P<comment>//.*|/\*.*?(?:\*/|$)|^\s*\*(?:[\s/].*)?$)
        |(?P<quoted>"(?:[^"\\]++|\\.)*+"?|'(?:[^'\\]++|\\.)*+'?|`[^`]*`?)
        |(?P<word>[A-Za-z_$][\w$]*)
        |(?P<number>\d[\w.]*)""",
        re.VERBOSE,
    )
    """A line that begins with a star counts as one of a longer comment."""

    def check(self, source: SourceText) -> tuple[Problem, ...]:
        """Return all problems of a script with its further files; those of its metadata come
        first.
        """
        text, script, texts, path = source
        script = script or (Path(path).name if path else "")
        _metadata, metadata_problems = metadata_of_script(script, texts, path)
        place = place_of_file(script, path)
        return (*metadata_problems, *script_problems(text, place, texts, path))

    def completions(self, source: SourceText, line: int, column: int) -> tuple[Completion, ...]:
        """Return what the game gives to scripts, as far as it can stand before a position."""
        row = source.line(line)[: column - 1]
        if "//" in row:
            return ()
        before = _BEFORE.search(row)
        assert before is not None  # it can match nothing
        owner, dot, begun = before.groups()
        if not dot and row[: before.start(3)].endswith("."):
            return ()
        return matching_completions(
            begun,
            (
                Completion(
                    name,
                    "call" if "(" in word.usage else "value",
                    f"{word.usage}: {word.help}",
                    name,
                    len(begun),
                )
                for name, word in (OWNERS.get(owner, _NO_WORDS) if dot else GLOBALS).items()
            ),
        )

    def help_at(self, source: SourceText, line: int, column: int) -> str | None:
        """Help on a word that the game gives to scripts, None for others."""
        row = source.line(line)
        for name in _WORD.finditer(row):
            if name.start() < column <= name.end():
                owner = _BEFORE.search(row[: name.start()])
                assert owner is not None  # it can match nothing
                inside = row[: name.start()].endswith(".")
                if inside:
                    words = OWNERS.get(owner[1] or "", _NO_WORDS)
                else:
                    words = GLOBALS
                word = words.get(name[0])
                if word is None:
                    return None
                return f"{word.usage}: {word.help}"
        return None
