"""The script host of ``.per``: periods, in files of Latin-1 text that can include others."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from randomizer.languages.language import Language, SourceText
from randomizer.model.problems import Problem
from randomizer.scripts.script_hosts import ScriptHost, Skeleton, read_skeleton
from randomizer.systems.xconq import header

if TYPE_CHECKING:
    from randomizer.systems.xconq.rolling.generator import PeriodGenerator


class PeriodHost(ScriptHost):
    """Any mapfile with a period and nothing else is a script; see ``ScriptHost``."""

    suffixes = (header.PERIOD_SUFFIX, ".map", ".scn")  # mapfiles can have any of these names

    @cached_property
    def language(self) -> Language:
        from randomizer.systems.xconq.language.period_language import PeriodLanguage

        return PeriodLanguage()

    def packaged(self) -> Sequence[PeriodGenerator]:
        from randomizer.systems.xconq.rolling.generator import packaged

        return packaged()

    def generator(self, source: SourceText) -> PeriodGenerator:
        from randomizer.systems.xconq.rolling.generator import from_texts

        return from_texts(source.text, source.name, source.texts, source.path)

    def skeleton(self) -> Skeleton:
        keywords = "per begin blank empty skeleton template example xconq world script write"
        text = read_skeleton("randomizer.systems.xconq", header.UNTITLED_PERIOD)
        return Skeleton("New Xconq &period", keywords, text)

    def recognises(self, data: bytes) -> bool:
        return header.sections_of(data) == header.PERIOD_ALONE

    def decode(self, data: bytes, path: str | None = None) -> tuple[str, tuple[Problem, ...]]:
        return header.decode(data, path)

    def encode(self, text: str) -> bytes:
        return header.encode(text)

    def further_names(self, text: str, script: str) -> tuple[str, ...]:
        """Return the names of the files that a period includes."""
        own_header, _problems = header.read_header(text.split("\n"))
        if own_header is None:
            return ()
        return own_header.includes

    def in_library(self, path: Path) -> bool:
        """Return whether a file is in the library directory of Xconq."""
        from randomizer.systems.xconq.library import LIBRARY

        library = LIBRARY.folder()
        return library is not None and path.resolve().is_relative_to(library.resolve())

    def has_script(self, script: str, text: str) -> bool:
        from randomizer.systems.xconq.library import LIBRARY

        library = LIBRARY.folder()
        has_file = library is not None and (library / script).is_file()
        return has_file and not LIBRARY.has_different_file(script, self.encode(text))


HOST = PeriodHost()
