"""Saving of scripts: the text with the line ends of its file, and the further files beside it.

``save_script`` writes both. ``ScriptFiles`` calls it::

    script = save_script(script, edited_text, Path("moor.rnd"))
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path

from app.scripts.script import Script, texts_renamed
from randomizer.catalog.script_files import (
    encoded_script,
    is_name_in_folder,
    read_further_texts,
)
from randomizer.catalog.scripts import script_host
from randomizer.model.basics.error_reasons import words_of
from randomizer.model.problems import error, split_lines
from randomizer.storage.disk.atomic import write_atomically


def save_script(script: Script, text: str, path: Path) -> Script:
    """Write ``text`` to ``path`` with the line ends of the file that it came from.

    Further files of the script are written beside it where they are not there. Returns the script
    as it is now. Raises ProblemError, and then the old file is as it was.
    """
    # The script comes last: if a further file cannot be written, it is not replaced.
    for name, further_text in _further_files(script, text, path):
        further_path = path.parent / name
        if not further_path.exists():
            _make_folder(further_path.parent)
            write_atomically(further_path, encoded_script(further_text, path.name))
    written = with_line_ends(text, script.original)
    write_atomically(path, encoded_script(written, path.name))
    texts = read_further_texts(path, text)
    return Script(path.name, text, path, written, settings=script.settings, texts=texts)


def _make_folder(folder: Path) -> None:
    """Make the folder of a library where it is missing. Raises ProblemError if that fails."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as failed:
        message = f"the folder {folder.name} could not be made: {words_of(failed)}"
        raise error("not-written", message, path=str(folder)) from failed


def _further_files(script: Script, text: str, path: Path) -> Iterator[tuple[str, str]]:
    """Yield the further files of a script that is saved as ``path``: their names and texts.

    Names are relative to the folder of ``path``. Files that are called after the script are called
    after ``path``, libraries stay in their folders. Raises ProblemError for a suffix that no system
    has.
    """
    own_names = script_host(path.name, str(path), text).further_names(text, path.name)
    for name, further_text in texts_renamed(script.texts, text, script.name, path.name).items():
        is_library = "/" in name
        if is_name_in_folder(name) and (name in own_names or is_library):
            yield name, further_text


def with_line_ends(text: str, original: str) -> str:
    """Return ``text`` (LF) with the line ends of ``original``.

    Lines that are in both keep theirs; other lines get the end that most lines have.
    """
    original_ends = re.findall(r"\r\n|\r|\n", original)
    commonest_end = max(("\n", "\r\n", "\r"), key=original_ends.count)
    lines = text.split("\n")
    if all(end == commonest_end for end in original_ends):
        return commonest_end.join(lines)
    # The last line of a text has no end.
    ends = [commonest_end] * (len(lines) - 1)
    matcher = SequenceMatcher(None, split_lines(original), lines, autojunk=False)
    for original_start, start, length in matcher.get_matching_blocks():
        for step in range(length):
            if original_start + step < len(original_ends) and start + step < len(ends):
                ends[start + step] = original_ends[original_start + step]
    return "".join(line + end for line, end in zip(lines, [*ends, ""], strict=True))
