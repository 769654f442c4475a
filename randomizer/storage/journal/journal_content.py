"""What a journal holds of the undo steps of an open map, as one value.

``Journal`` has one ``Content``, which agrees with the files on the disk. A write makes the next
one, and exchanges it when the files have been written; a write that fails leaves the old one::

    content = replace(journal.content, position=6)      # a step is undone
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from randomizer.storage.journal.journal_bases import BaseFile
from randomizer.storage.journal.journal_digests import StepChain


@dataclass(frozen=True, slots=True)
class Content:
    """The undamaged content of a journal; without arguments that of one that keeps nothing."""

    bases: tuple[BaseFile, ...] = ()
    """The bases that can be used, in the order of their positions; the map is that of the last.

    Empty if the journal keeps nothing: it is being begun, or is being deleted.
    """

    chain: StepChain = field(default_factory=StepChain)
    """The steps that are whole, by their digests."""

    position: int = 0
    """The number of steps that are done; those behind them are undone."""

    saved: int | None = None
    """The number of steps that were done when the map was last saved.

    None if it never was, the steps of that state were discarded, or it is not known.
    """

    changed: float = 0.0
    """The ``time.time()`` when a step was last done, undone or redone."""

    writes: int | None = 0
    """How often ``Journal.write`` was called; None if that is not known."""

    about: Mapping[str, str] = field(default_factory=dict)
    """Texts about the map by name: what it is called, its file, and so on."""

    @property
    def count(self) -> int:
        """The number of steps, including those in front of the chain."""
        return self.chain.end
