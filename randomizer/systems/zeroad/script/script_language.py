"""The language of random map scripts of 0 A.D.: JavaScript, and what the game adds to it.

``ScriptLanguage`` serves the editor. Completion and help know the functions and values that the
engine gives to scripts: ``GLOBALS``, and the members of ``OWNERS`` such as ``Engine``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from randomizer.languages.language import Completion, Language, SourceText, matching_completions
from randomizer.model.problems import Problem, split_lines
from randomizer.systems.zeroad.script.engine_words import GLOBALS, OWNERS, Word
from randomizer.systems.zeroad.script.metadata_check import metadata_of_script
from randomizer.systems.zeroad.script.script_check import script_problems
from randomizer.systems.zeroad.script.script_location import location_of_file

_KEYWORDS = """
    async await break case catch class const continue debugger default delete do else export
    extends false finally for from function if import in instanceof let new null of return
    static super switch this throw true try typeof undefined var void while with yield
"""
"""The keywords of JavaScript, with blanks between."""

_WORD_AT_END = re.compile(
    r"""
    (?: (?<![\w$.]) (?P<owner>[A-Za-z_$][\w$]*) (?P<dot>\.) )?  # Engine. but not a.Engine.
    (?<![\w$]) (?P<fragment>[\w$]*) $                           # the word itself, or nothing
    """,
    re.VERBOSE,
)
"""The word that ends a text, with the name in front of it if it is a member of that.

For "Engine.Load" the groups are owner "Engine", dot "." and fragment "Load".
"""

_WORD = re.compile(r"[\w$]+")
"""A name of JavaScript."""

_COMMENT_OR_QUOTED = re.compile(
    r"""
    (?P<comment> //[^\n]* | /\*.*?(?:\*/|\Z) )
    | "(?:[^"\\\n]++|\\.)*+"? | '(?:[^'\\\n]++|\\.)*+'? | `(?:[^`\\]++|\\.)*+`?
    """,
    re.VERBOSE | re.DOTALL,
)
"""A comment, or a quoted text: in "http://x" the two strokes begin no comment."""

_NO_WORDS: Mapping[str, Word] = {}
"""The members of a name that the game does not know."""


class ScriptLanguage(Language):
    """The language as the editor needs it. Further texts are a script's metadata and libraries."""

    manual_page = "map-scripts.md"
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
        """Return all problems of a script and its libraries, those of its metadata first."""
        text, script, texts, path = source
        if not script and path:
            script = Path(path).name
        _metadata, metadata_problems = metadata_of_script(script, texts, path)
        location = location_of_file(script, path)
        return (*metadata_problems, *script_problems(text, location, texts, path))

    def completions(self, source: SourceText, line: int, column: int) -> tuple[Completion, ...]:
        """Return the words of the game that begin with the text before a position."""
        row = source.line(line)[: column - 1]
        lines_before = split_lines(source.text)[: max(line - 1, 0)]
        if _ends_in_comment("\n".join([*lines_before, row])):
            return ()
        match = _WORD_AT_END.search(row)
        assert match is not None, "the pattern matches nothing, too"
        fragment = match["fragment"]
        words = GLOBALS
        if match["dot"]:
            words = OWNERS.get(match["owner"], _NO_WORDS)
        elif row[: match.start("fragment")].endswith("."):
            return ()  # a member of what is no plain name, such as a.b.c or f().c

        completions = list[Completion]()
        for name, word in words.items():
            kind = "value"
            if "(" in word.usage:
                kind = "call"
            help_text = f"{word.usage}: {word.help}"
            completions.append(Completion(name, kind, help_text, name, len(fragment)))
        return matching_completions(fragment, completions)

    def help_at(self, source: SourceText, line: int, column: int) -> str | None:
        """Return help on a word that the game gives to scripts, None for others."""
        row = source.line(line)
        for name in _WORD.finditer(row):
            if not name.start() < column <= name.end():
                continue
            text_before = row[: name.start()]
            words = GLOBALS
            if text_before.endswith("."):
                match = _WORD_AT_END.search(text_before)
                assert match is not None, "the pattern matches nothing, too"
                words = OWNERS.get(match["owner"] or "", _NO_WORDS)
            word = words.get(name[0])
            if word is None:
                return None
            return f"{word.usage}: {word.help}"
        return None


def _ends_in_comment(text: str) -> bool:
    """Return whether a position is within a comment; ``text`` is all that stands before it."""
    last_comment = ""
    for match in _COMMENT_OR_QUOTED.finditer(text):
        if match.end() == len(text):
            last_comment = match["comment"] or ""
    is_closed = len(last_comment) >= len("/**/") and last_comment.endswith("*/")
    return last_comment.startswith("//") or (last_comment != "" and not is_closed)
