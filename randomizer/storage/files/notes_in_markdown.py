"""The format ``notes``: the key of a map in Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from randomizer.formats.text_format import TextFormat
from randomizer.model.notes import key_in_markdown

if TYPE_CHECKING:
    from randomizer.formats.provenance import Provenance
    from randomizer.model.map.battlemap import BattleMap


class NotesText(TextFormat):
    """The notes and regions of the visible layers; it cannot be read back."""

    name = "notes"
    suffixes = (".md",)
    joint = None

    def write(self, battlemap: BattleMap, _provenance: Provenance | None = None) -> bytes:
        """Return the key in UTF-8, without a provenance."""
        return key_in_markdown(battlemap).encode()


NOTES = NotesText("Key of notes", ("free",), key_in_markdown, lambda _battlemap: ())
"""The format of the catalogue."""
