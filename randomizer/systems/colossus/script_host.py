"""The script host of ``.rnd``.

Parser and lint are slow to import, and a roll needs neither; a map that is shown is no script, and
needs no generator.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from randomizer.languages.language import Language, SourceText
from randomizer.model.problems import Problem, ProblemError, has_errors
from randomizer.scripts.script_hosts import ScriptHost, Skeleton, read_skeleton

if TYPE_CHECKING:
    from randomizer.systems.colossus.generator import RndGenerator


class RndHost(ScriptHost):
    """Scripts of one file; UTF-8 or Latin-1."""

    suffixes = (".rnd",)

    @cached_property
    def language(self) -> Language:
        from randomizer.systems.colossus.script.language import RndLanguage

        return RndLanguage()

    def packaged(self) -> Sequence[RndGenerator]:
        from randomizer.systems.colossus.generator import packaged

        return packaged()

    def generator(self, source: SourceText) -> RndGenerator:
        from randomizer.systems.colossus.generator import from_text

        return from_text(source.text, source.name, source.path)

    def skeleton(self) -> Skeleton:
        return Skeleton(
            "New Colossus &script",
            "rnd begin blank empty skeleton template example battleland randomizer write",
            read_skeleton("randomizer.systems.colossus", "Untitled.rnd"),
        )

    def check(self, source: SourceText) -> tuple[Problem, ...]:
        """Return all problems of a script, with those for which no roll of it can begin."""
        problems = super().check(source)
        if has_errors(problems):
            return problems
        from randomizer.systems.colossus.rolling.compiler import compile_script
        from randomizer.systems.colossus.script.parser import parse

        try:
            compile_script(parse(source.text, source.path).script, source.path)
        except ProblemError as refused:
            return (*problems, *refused.problems)
        return problems

    def roll_errors(self, source: SourceText) -> tuple[Problem, ...]:
        """Return all errors: a hazard that the game does not know stops only maps that place it.

        Under locks a roll would go on to a map that happens not to place it.
        """
        errors = []
        for problem in self.check(source):
            if has_errors([problem]):
                errors.append(problem)
        return tuple(errors)

    def decode(self, data: bytes, path: str | None = None) -> tuple[str, tuple[Problem, ...]]:
        from randomizer.systems.colossus.script.source import decode_script

        return decode_script(data, path)


HOST = RndHost()
