"""The script host of ``.rnd``: what the program asks about scripts of Colossus.

The editor, the command line and the catalogue of systems use ``HOST``. The methods import what they
need when they are called. Parser and lint are slow to import, and neither a roll nor a map that is
only shown needs them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from randomizer.languages.language import Language, SourceText
from randomizer.model.problems import Problem, ProblemError, Severity, has_errors
from randomizer.scripts.script_hosts import ScriptHost, Skeleton, read_skeleton

if TYPE_CHECKING:
    from randomizer.systems.colossus.generator import RndGenerator


class RndHost(ScriptHost):
    """Scripts of one file; UTF-8 or Latin-1. ``ScriptHost`` documents the methods."""

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
            title="New Colossus &script",
            words="rnd begin blank empty skeleton template example battleland randomizer write",
            script=read_skeleton("randomizer.systems.colossus", "Untitled.rnd"),
        )

    def check(self, source: SourceText) -> tuple[Problem, ...]:
        """Return all problems of a script.

        If it has no error, the compiler is asked as well: it refuses some scripts that lint passes.
        """
        problems = super().check(source)
        if has_errors(problems):
            return problems
        from randomizer.systems.colossus.rolling.compiler import compile_script
        from randomizer.systems.colossus.script.parser import parse

        # The check keeps no tree, so the text is parsed once more; that is quick beside the lint.
        try:
            compile_script(parse(source.text, source.path).script, source.path)
        except ProblemError as refused:
            return (*problems, *refused.problems)
        return problems

    def roll_errors(self, source: SourceText) -> tuple[Problem, ...]:
        """Return all errors of a script; a roll is refused if there are any.

        Even an error that only some maps meet counts, such as a hazard that the game does not know.
        A roll under locks tries one map after the other, and would otherwise return the first one
        that happens not to place that hazard.
        """
        problems = self.check(source)
        return tuple(problem for problem in problems if problem.severity is Severity.ERROR)

    def decode(self, data: bytes, path: str | None = None) -> tuple[str, tuple[Problem, ...]]:
        from randomizer.systems.colossus.script.script_files import decode_script

        return decode_script(data, path)


HOST = RndHost()
"""The script host of ``.rnd``."""
