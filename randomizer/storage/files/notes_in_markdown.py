"""The format ``notes``: the key of a map in Markdown.

Every command of the program asks each format for its name. So the module that makes the key is
imported when a key is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from randomizer.formats.text_format import TextFormat

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
        return _key(battlemap).encode()


def _key(battlemap: BattleMap) -> str:
    """Return the notes and regions of the visible layers in Markdown."""
    from randomizer.model.notes import key_in_markdown

    return key_in_markdown(battlemap)


NOTES = NotesText("Key of notes", ("free",), _key, lambda _battlemap: ())
"""The format of the catalogue."""
