"""Commands that open the files which were opened lately, for menus such as *Open recent*."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from functools import partial
from pathlib import Path

from app.commands.commands import Command, slug
from app.document.map_names import file_name_among
from app.settings import Settings
from randomizer.model.grid.cell_words import escaped


def recent_files(
    id_prefix: str,
    settings: Settings,
    kinds: Sequence[str],
    open_path: Callable[[Path], object],
    without: Container[Path] = (),
) -> list[Command]:
    """Return a command for each recent file of some kinds, one kind after the other.

    A kind is such as ``maps``; ``open_path`` opens a file of any of them. The ids begin with
    ``id_prefix``, such as ``file.open-recent``. Files in ``without`` have no command. If there are
    no files, the only command is a disabled one that says so. Files of one name are told apart by
    their folders.
    """
    kinds_and_paths = []
    for kind in kinds:
        for path in settings.recent(kind):
            kinds_and_paths.append((kind, path))
    recent_paths = [path for _kind, path in kinds_and_paths]
    commands = []
    for number, (kind, path) in enumerate(kinds_and_paths):
        if path in without:
            continue
        command = Command(
            f"{id_prefix}.{number}.{slug(path.name)}",
            escaped(file_name_among(path, recent_paths)),
            partial(open_path, path),
            tip=escaped(str(path)),
            words=f"{kind} recent last file",
        )
        commands.append(command)
    if commands:
        return commands
    nothing = Command(
        f"{id_prefix}.nothing-yet",
        "Nothing yet",
        lambda: None,
        why_not=lambda: "No file was opened yet.",
    )
    return [nothing]
