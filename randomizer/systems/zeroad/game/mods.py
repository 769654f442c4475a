"""The mods in a folder ``mods`` of the game, read only: their finished maps and scripts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from randomizer.games import DiskFile, FileGroup, FileSlot
from randomizer.model.problems import Problem, Severity, error, words_of
from randomizer.systems.zeroad.export.fixed_script import is_fixed_script
from randomizer.systems.zeroad.installation.installations import user_mod

SCRIPTS = ("maps", "random")
"""The folders below a mod with its scripts and their metadata."""

PREVIEWS = ("art", "textures", "ui", "session", "icons", "mappreview")

LARGEST_SCRIPT = 64 * 2**20
"""In bytes."""

MOST_SCRIPTS = 2_000
_START = 200


class Mods:
    """The folder ``root`` with a folder for each mod. It may not be there yet.

    A slot is a finished map, called as its file without the suffix.
    """

    def __init__(self, root: Path) -> None:
        self.root = root

    def groups(self) -> tuple[FileGroup, ...]:
        """The mods: the user's own first, be it there or not."""
        usual = user_mod().name
        found = {usual: self._mod(usual)}
        for folder in _entries(self.root):
            is_mod = (folder / "mod.json").is_file() or folder.joinpath(*SCRIPTS).is_dir()
            if is_mod and not folder.name.startswith("."):
                found[folder.name] = self._mod(folder.name)
        return tuple(found.values())

    def _mod(self, name: str) -> FileGroup:
        slots, problems = [], []
        for path in self._scripts_of(name):
            try:
                with path.open("rb") as file:
                    fixed = is_fixed_script(file.read(_START))
            except OSError as failed:
                words = f"{path.name} cannot be read: {words_of(failed)}"
                problems.append(Problem(Severity.WARNING, "not-read", words, str(path)))
                continue
            if fixed:
                slots.append(FileSlot(path.stem, DiskFile(path)))
        return FileGroup(name, tuple(slots), tuple(problems))

    def _scripts_of(self, mod: str) -> Iterator[Path]:
        """The script files of a mod that have metadata beside them."""
        found = _entries(self.root.joinpath(mod, *SCRIPTS))
        for path in [each for each in found if each.suffix == ".js"][:MOST_SCRIPTS]:
            if path.is_file() and path.with_suffix(".json").is_file():
                yield path

    def read_map(self, group: str, slot: str) -> tuple[bytes, DiskFile]:
        """The script of a finished map. Raises ProblemError if it cannot be read."""
        path = next((each for each in self._scripts_of(group) if each.stem == slot), None)
        if path is None:
            raise error("no-map", f"the mod {group} has no map “{slot}”", path=str(self.root))
        try:
            with path.open("rb") as file:
                data = file.read(LARGEST_SCRIPT + 1)
        except OSError as failed:
            words = f"{path.name} cannot be read: {words_of(failed)}"
            raise error("not-read", words, path=str(path)) from failed
        if len(data) > LARGEST_SCRIPT:
            words = f"{path.name} has more than {LARGEST_SCRIPT:,} bytes"
            raise error("not-read", words, path=str(path))
        return data, DiskFile(path)

    def scripts(self) -> tuple[Path, ...]:
        """The scripts that are no finished maps."""
        fixed = {slot.file.path for mod in self.groups() for slot in mod.slots}
        scripts = (path for mod in self.groups() for path in self._scripts_of(mod.name))
        return tuple(path for path in scripts if path not in fixed)


def _entries(folder: Path) -> list[Path]:
    """What a folder holds, by name; nothing where it cannot be read."""
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []
