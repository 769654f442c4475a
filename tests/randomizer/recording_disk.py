"""A disk that notes every call that changes it, and shows what a power cut at any of them leaves.

What was written but not forced to the disk is whole, half there, gone or zeros after a cut; entries
of a folder that was not forced to the disk are there up to any of them, in their order.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest


class Call(NamedTuple):
    """One change: ``data`` and ``sync`` of a file by its number, the rest of entries by name."""

    kind: str
    what: Any
    more: Any = None


class RecordingDisk:
    """Notes what is done below ``root`` from now on."""

    def __init__(self, root: Path, patch: pytest.MonkeyPatch) -> None:
        self.root = root
        self.calls: list[Call] = []
        self._file_at = {path: n for n, path in enumerate(self._files())}
        self._folders = {root, *(path for path in root.rglob("*") if path.is_dir())}
        self._before = {path: path.read_bytes() for path in self._file_at}
        self._seen = {n: self._before[path] for path, n in self._file_at.items()}
        self._opened: dict[int, Path] = {}
        for name in ("open", "fsync", "replace", "unlink", "mkdir", "rmdir"):
            # SQLite's files and the folders of journals, too, which no ``Disk`` is asked for.
            patch.setattr(os, name, self._noting(name, getattr(os, name)))

    def _files(self) -> list[Path]:
        return sorted(path for path in self.root.rglob("*") if path.is_file())

    def _noting(self, name: str, real: Any) -> Any:
        def call(*arguments: Any, **options: Any) -> Any:
            if name in ("replace", "unlink", "fsync"):
                self._note_data()
            result = real(*arguments, **options)
            getattr(self, f"_{name}")(result, *arguments)
            return result

        return call

    def _note_data(self) -> None:
        """What was written since is noticed before the next call that matters."""
        for path, number in self._file_at.items():
            if path.exists() and path.read_bytes() != self._seen[number]:
                self._seen[number] = path.read_bytes()
                self.calls.append(Call("data", number, self._seen[number]))

    def _open(self, handle: int, path: Any, *_rest: Any) -> None:
        place = Path(os.fsdecode(path)) if isinstance(path, str | os.PathLike) else None
        if place is None or not place.is_relative_to(self.root):
            return
        self._opened[handle] = place
        if place.is_file() and place not in self._file_at:
            number = len(self._seen)
            self._file_at[place] = number
            self._seen[number] = b""
            self.calls.append(Call("create", place, number))

    def _fsync(self, _result: None, handle: int) -> None:
        place = self._opened[handle]
        if place.is_dir():
            self.calls.append(Call("sync-folder", place))
        else:
            self.calls.append(Call("sync", self._file_at[place]))

    def _replace(self, _result: None, old: Any, new: Any) -> None:
        self._file_at[Path(new)] = self._file_at.pop(Path(old))
        self.calls.append(Call("rename", Path(old), Path(new)))

    def _unlink(self, _result: None, path: Any, **_options: Any) -> None:
        self._file_at.pop(Path(path), None)
        self.calls.append(Call("unlink", Path(path)))

    def _mkdir(self, _result: None, path: Any, *_rest: Any) -> None:
        self.calls.append(Call("mkdir", Path(path)))

    def _rmdir(self, _result: None, path: Any) -> None:
        self.calls.append(Call("rmdir", Path(path)))

    # --- cuts -------------------------------------------------------------------------------

    def after_cuts(self) -> Iterator[tuple[int, dict[Path, bytes]]]:
        """For a cut behind each number of calls everything that may be on the disk then."""
        for count in range(len(self.calls) + 1):
            for files in self._possible(self.calls[:count]):
                yield count, files

    def _possible(self, calls: list[Call]) -> Iterator[dict[Path, bytes]]:
        safe: dict[int, bytes] = dict.fromkeys(range(len(self._seen)), b"")
        safe.update({n: self._before[path] for n, path in enumerate(sorted(self._before))})
        written = dict(safe)
        entries: list[tuple[Call, bool]] = []
        for call in calls:
            if call.kind == "data":
                written[call.what] = call.more
            elif call.kind == "sync":
                safe[call.what] = written[call.what]
            elif call.kind == "sync-folder":
                entries = [(each, done or _folder(each) == call.what) for each, done in entries]
            else:
                entries.append((call, False))
        waiting = [n for n, (_, done) in enumerate(entries) if not done]
        for last in (-1, *waiting):
            applied = [each for n, (each, done) in enumerate(entries) if done or n <= last]
            for spoil in (lambda data: data, lambda data: data[: len(data) // 2], _zeros, _nothing):
                contents = {
                    n: data if data == safe[n] else spoil(data) for n, data in written.items()
                }
                yield self._files_after(applied, contents)

    def _files_after(self, entries: list[Call], contents: dict[int, bytes]) -> dict[Path, bytes]:
        names = {path: n for n, path in enumerate(sorted(self._before))}
        folders = set(self._folders)
        for call in entries:
            if call.kind == "create":
                names[call.what] = call.more
            elif call.kind == "rename" and call.what in names:
                names[call.more] = names.pop(call.what)
            elif call.kind == "unlink":
                names.pop(call.what, None)
            elif call.kind == "mkdir":
                folders.add(call.what)
        return {
            path: contents[n]
            for path, n in names.items()
            if all(parent in folders for parent in path.parents if parent.is_relative_to(self.root))
        }


def _folder(call: Call) -> Path:
    place: Path = call.more if call.kind == "rename" else call.what
    return place.parent


def _zeros(data: bytes) -> bytes:
    return bytes(len(data))


def _nothing(_data: bytes) -> bytes:
    return b""
