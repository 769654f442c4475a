"""The format of maps written as text, for people: it cannot be read back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from randomizer.formats.format import Format
from randomizer.formats.held_systems import refuse_other_systems
from randomizer.formats.provenance import Provenance
from randomizer.formats.results import ReadResult
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem, Severity


class TextFormat(Format):
    """The format ``text``, for people; it cannot be read back.

    ``text_of`` gives a map's visible layers, flattened, as lines; ``problems_of`` is ``check``.
    """

    name = "text"
    suffixes = (".txt",)
    readable = False
    joint: bytes | None = b"\n"
    largest = 0

    def __init__(
        self,
        title: str,
        systems: tuple[str, ...],
        text_of: Callable[[BattleMap], str],
        problems_of: Callable[[BattleMap], tuple[Problem, ...]],
    ) -> None:
        self.title = title
        self.systems = systems
        self.text_of = text_of
        self.problems_of = problems_of

    def recognises(self, _data: bytes) -> bool:
        """Return False: text is not read back."""
        return False

    def read(self, _data: bytes, path: str | None = None) -> ReadResult:
        """Return no map but a problem: text is not read back."""
        message = "A map written as text cannot be read"
        return ReadResult(None, (Problem(Severity.ERROR, "write-only", message, path),))

    def write(self, battlemap: BattleMap, provenance: Provenance | None = None) -> bytes:
        """Return the text in UTF-8; the provenance is the last line."""
        refuse_other_systems(self, battlemap)
        text = self.text_of(battlemap)
        kinds = Counter(thing.kind for thing in battlemap.visible_things())
        if kinds:
            counts = ", ".join(f"{number:,} {kind}" for kind, number in sorted(kinds.items()))
            text += f"\nThings: {counts}\n"
        if provenance is not None:
            text += f"\n{provenance.words}\n"
        return text.encode("utf-8", "replace")

    def check(self, battlemap: BattleMap) -> tuple[Problem, ...]:
        """Return what the file would lose, and the warnings of its game."""
        return self.problems_of(battlemap)
