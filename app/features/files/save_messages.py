"""Messages about maps that were written to files, for the status bar."""

from __future__ import annotations

from pathlib import Path

from app.document.map_writing import Saved
from randomizer.model.basics.plurals import listed

MAX_NAMES = 3
"""If an export writes more files than these beside its own, they are counted, not named."""


def text_about_saved(
    path: Path, saved: Saved, *, flattened: str, script_edits: str, has_changed: bool
) -> str:
    """Return the message about a map that was saved at ``path``, with what its file does not hold.

    ``flattened`` tells what became of the layers, and ``script_edits`` what became of edits of
    scripts that are not saved; each "" for nothing to tell. ``has_changed``: the map was changed
    since the writing began.
    """
    meanwhile = ""
    if has_changed:
        meanwhile = "What you changed meanwhile is not in it. "
    names = _names_of_written(path, saved)
    text = f"Saved {names}{flattened}{script_edits}. {meanwhile}{saved.backup_trouble}"
    return text.rstrip(" .")


def text_about_exported(path: Path, saved: Saved, location: str, *, players: bool) -> str:
    """Return the message about a copy that was written; ``players``: of the players' map.

    ``location`` is that of its format.
    """
    subject = ""
    if players:
        subject = "the players' map as "
    names = _names_of_written(path, saved)
    if location:
        return f"Exported {subject}{names}. {location} {saved.backup_trouble}".rstrip()
    return f"Exported {subject}{names}. {saved.backup_trouble}".rstrip(" .")


def text_about_flattened(layer_count: int, left_out: str) -> str:
    """Return what became of the layers in a flat file; "" if it holds the only one.

    ``left_out`` is the list of the hidden layers that it does not hold.
    """
    if left_out and layer_count == 1:
        return f" (without {left_out}, which is hidden)"
    if left_out:
        return f" ({layer_count} layers flattened, without {left_out}: hidden)"
    if layer_count > 1:
        return f" ({layer_count} layers flattened)"
    return ""


def _names_of_written(path: Path, saved: Saved) -> str:
    """Return the names of the files that were written, or their number if there are many."""
    if len(saved.beside) > MAX_NAMES:
        return f"{path.name} and {len(saved.beside):,} files beside it"
    return listed([path.name, *sorted(saved.beside)])
