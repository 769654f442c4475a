"""The script host of ``.tll`` and its language: the required part, a further file, colours."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from randomizer.languages.language import Language, SourceText, line_pieces
from randomizer.model.problems import Problem
from randomizer.scripts.script_hosts import ScriptHost
from tests.test_system.generator import LandGenerator, generator_of, packaged
from tests.test_system.language import STATEMENTS, parse


class LandLanguage(Language):
    """Statements of one line."""

    keywords = tuple(STATEMENTS)
    pieces = line_pieces("#", r'"[^"]*"?', r"[^\W\d]\w*", r"\d+")

    def check(self, source: SourceText) -> tuple[Problem, ...]:
        return parse(source.text, source.path)[1]


class LandHost(ScriptHost):
    """Scripts with metadata beside them, and folders that they include."""

    suffixes = (".tll", ".tlx")
    language = LandLanguage()

    def packaged(self) -> Sequence[LandGenerator]:
        return packaged()

    def generator(self, source: SourceText) -> LandGenerator:
        return generator_of("", *source)

    def further_names(self, text: str, script: str) -> tuple[str, ...]:
        return (PurePath(script).stem + ".json",)

    def library_folders(self, text: str) -> tuple[str, ...]:
        return tuple(each.arguments[0] for each in parse(text)[0] if each.word == "include")


HOST = LandHost()
