"""A disk that notes every call that changes it, and shows what a power cut at any of them leaves.

    disk = RecordingDisk(tmp_path, monkeypatch)
    save()
    for calls_done, files in disk.after_cuts():
        ...                              # each set of files must be one from which to recover

What was written but not forced to the disk (fsync) is whole, half there, gone or zeros after a cut.
Of the *entries* of a folder (names that were created, moved or removed) that was not forced to the
disk the first ones are there, up to any of them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest


class Call(NamedTuple):
    """A change of the disk. A file keeps its number when it is renamed."""

    kind: str
    """"data" or "sync" of a file, "sync-folder", or an entry: "create", "rename" and others."""
    what: Any
    """The number of a file for "data" and "sync", else a path."""
    more: Any = None
    """The bytes of "data", the number of the file of "create", the new path of "rename"."""


class RecordingDisk:
    """Notes what is done below ``root`` from now on, by taking the place of functions of ``os``."""

    def __init__(self, root: Path, patch: pytest.MonkeyPatch) -> None:
        self.root = root
        self.calls: list[Call] = []
        """The changes so far, in their order."""
        self._number_at = {path: number for number, path in enumerate(self._files())}
        """The numbers of the files by the paths that they have now."""
        self._folders = {root, *(path for path in root.rglob("*") if path.is_dir())}
        """The folders that were there at the beginning."""
        self._first_contents = {path: path.read_bytes() for path in self._number_at}
        """The files that were there at the beginning."""
        self._contents = {n: self._first_contents[path] for path, n in self._number_at.items()}
        """The bytes of each file, by its number, as they were noticed last."""
        self._opened: dict[int, Path] = {}
        """The paths of files and folders that were opened, by their handles."""
        for name in ("open", "fsync", "replace", "unlink", "mkdir", "rmdir"):
            # SQLite's files and the folders of journals, too, which no ``Disk`` is asked for.
            patch.setattr(os, name, self._noting(name, getattr(os, name)))

    def _files(self) -> list[Path]:
        """Return the files below the root, sorted."""
        return sorted(path for path in self.root.rglob("*") if path.is_file())

    def _noting(self, name: str, real: Any) -> Any:
        """Return a function that does what one of ``os`` does, and notes it (``_open``, ...)."""

        def call(*arguments: Any, **options: Any) -> Any:
            if name in ("replace", "unlink", "fsync"):
                self._note_data()
            result = real(*arguments, **options)
            getattr(self, f"_{name}")(result, *arguments)
            return result

        return call

    def _note_data(self) -> None:
        """Note the files that were written since: nothing tells when, so before the next call."""
        for path, number in self._number_at.items():
            if path.exists() and path.read_bytes() != self._contents[number]:
                self._contents[number] = path.read_bytes()
                self.calls.append(Call("data", number, self._contents[number]))

    def _open(self, handle: int, path: Any, *_rest: Any) -> None:
        """Note a new file, and the handle of any file or folder below the root."""
        if not isinstance(path, str | os.PathLike):
            return
        opened = Path(os.fsdecode(path))
        if not opened.is_relative_to(self.root):
            return
        self._opened[handle] = opened
        if opened.is_file() and opened not in self._number_at:
            number = len(self._contents)
            self._number_at[opened] = number
            self._contents[number] = b""
            self.calls.append(Call("create", opened, number))

    def _fsync(self, _result: None, handle: int) -> None:
        opened = self._opened[handle]
        if opened.is_dir():
            self.calls.append(Call("sync-folder", opened))
        else:
            self.calls.append(Call("sync", self._number_at[opened]))

    def _replace(self, _result: None, old: Any, new: Any) -> None:
        self._number_at[Path(new)] = self._number_at.pop(Path(old))
        self.calls.append(Call("rename", Path(old), Path(new)))

    def _unlink(self, _result: None, path: Any, **_options: Any) -> None:
        self._number_at.pop(Path(path), None)
        self.calls.append(Call("unlink", Path(path)))

    def _mkdir(self, _result: None, path: Any, *_rest: Any) -> None:
        self.calls.append(Call("mkdir", Path(path)))

    def _rmdir(self, _result: None, path: Any) -> None:
        self.calls.append(Call("rmdir", Path(path)))

    # --- cuts -------------------------------------------------------------------------------

    def after_cuts(self) -> Iterator[tuple[int, dict[Path, bytes]]]:
        """Yield what may be on the disk after a cut: the number of calls done, and all files.

        For each number of calls there are several possibilities.
        """
        for count in range(len(self.calls) + 1):
            for files in self._files_after_cut(self.calls[:count]):
                yield count, files

    def _files_after_cut(self, calls: list[Call]) -> Iterator[dict[Path, bytes]]:
        """Yield the files that may be on the disk after these calls and a cut."""
        # What is on the disk for certain (``safe``), and what was written at all, by file; and the
        # entries, each with whether it is on the disk for certain.
        safe: dict[int, bytes] = dict.fromkeys(range(len(self._contents)), b"")
        for number, path in enumerate(sorted(self._first_contents)):
            safe[number] = self._first_contents[path]
        written = dict(safe)
        entries: list[tuple[Call, bool]] = []
        for call in calls:
            if call.kind == "data":
                written[call.what] = call.more
            elif call.kind == "sync":
                safe[call.what] = written[call.what]
            elif call.kind == "sync-folder":
                entries = [
                    (entry, is_safe or _folder_of(entry) == call.what) for entry, is_safe in entries
                ]
            else:
                entries.append((call, False))

        # The cut comes after any of the entries that are not safe, and damages unsafe files alike.
        unsafe_indices = [index for index, (_entry, is_safe) in enumerate(entries) if not is_safe]
        for last in (-1, *unsafe_indices):
            applied = []
            for index, (entry, is_safe) in enumerate(entries):
                if is_safe or index <= last:
                    applied.append(entry)
            for damage in (_whole, _first_half, _zeros, _nothing):
                contents = {}
                for number, data in written.items():
                    contents[number] = data
                    if data != safe[number]:
                        contents[number] = damage(data)
                yield self._files_with(applied, contents)

    def _files_with(self, entries: list[Call], contents: dict[int, bytes]) -> dict[Path, bytes]:
        """Return the files by path after these entries; ``contents`` are by number.

        A file in a folder that is not on the disk is lost.
        """
        number_at = {path: number for number, path in enumerate(sorted(self._first_contents))}
        folders = set(self._folders)
        for entry in entries:
            if entry.kind == "create":
                number_at[entry.what] = entry.more
            elif entry.kind == "rename" and entry.what in number_at:
                number_at[entry.more] = number_at.pop(entry.what)
            elif entry.kind == "unlink":
                number_at.pop(entry.what, None)
            elif entry.kind == "mkdir":
                folders.add(entry.what)
        files = {}
        for path, number in number_at.items():
            parents = {parent for parent in path.parents if parent.is_relative_to(self.root)}
            if parents <= folders:
                files[path] = contents[number]
        return files


def _folder_of(entry: Call) -> Path:
    """Return the folder in which an entry is: for one that was moved the new one."""
    path: Path = entry.what
    if entry.kind == "rename":
        path = entry.more
    return path.parent


# --- what a cut can leave of bytes that were not forced to the disk -----------------------------


def _whole(data: bytes) -> bytes:
    return data


def _first_half(data: bytes) -> bytes:
    return data[: len(data) // 2]


def _zeros(data: bytes) -> bytes:
    return bytes(len(data))


def _nothing(_data: bytes) -> bytes:
    return b""
