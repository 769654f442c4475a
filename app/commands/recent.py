"""The files that were opened lately, as commands of a menu."""

from __future__ import annotations

from collections.abc import Callable, Container
from functools import partial
from pathlib import Path

from app.commands.commands import Command, slug
from app.settings import Settings
from randomizer.model.grid.cell_words import escaped


def recent_files(
    place: str,
    settings: Settings,
    kind: str,
    open_path: Callable[[Path], object],
    without: Container[Path] = (),
) -> list[Command]:
    """Return rows at ``place``, such as ``file.open-recent``, of one kind (``maps``, ``scripts``).

    Files in ``without`` have no row.
    """
    rows = [
        Command(
            f"{place}.{number}.{slug(path.name)}",
            escaped(path.name),
            partial(open_path, path),
            tip=escaped(str(path)),
            words=f"{kind} recent last file",
        )
        for number, path in enumerate(settings.recent(kind))
        if path not in without
    ]
    nothing = Command(
        f"{place}.nothing-yet",
        "Nothing yet",
        lambda: None,
        why_not=lambda: "No file was opened yet.",
    )
    return rows or [nothing]
