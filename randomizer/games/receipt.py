"""The receipt of an export into a game, by which it can be taken back."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from randomizer.model.problems import Problem


@dataclass(frozen=True, slots=True)
class ReceiptFile:
    """One exported file, and the backup of the file that it replaced."""

    place: str
    """The path of the file relative to the game's directory, with ``/`` between the folders. It
    has this name in the files of receipts."""
    backup: str | None
    """The name of the backup in the receipt's folder, None if no file was replaced."""
    old_sha256: str | None
    """The digest of the replaced contents."""
    new_sha256: str
    """The digest of the exported contents."""


@dataclass(frozen=True, slots=True)
class ExportReceipt:
    """The record of an export, by which it can be taken back."""

    path: Path
    """The path of its receipt.json."""
    time: str = ""
    """The time of the export, ISO 8601 in UTC."""
    group: str = ""
    slots: tuple[str, ...] = ()
    files: tuple[ReceiptFile, ...] = ()
    folders: tuple[str, ...] = ()
    """The folders that were made for it, outermost first."""
    taken_back: bool = False
    problem: Problem | None = None
    """Set if the receipt cannot be read; such a receipt can only be shown."""

    @property
    def root(self) -> Path:
        """The game's directory, above the folder of all receipts and the one of this receipt."""
        folder = self.path.parent
        all_receipts = folder.parent
        return all_receipts.parent

    @property
    def reversible(self) -> bool:
        """True if the export can be taken back: its receipt can be read, and it was not yet."""
        return self.problem is None and not self.taken_back
