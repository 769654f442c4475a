"""Chooses the format that reads a file, or says why none does."""

from __future__ import annotations

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Collection

from randomizer.catalog.file_kinds import FileHead, readable_formats, recognises
from randomizer.formats.checked import is_empty_file, problem_of_empty_file
from randomizer.formats.format import Format
from randomizer.installed import Guard, load
from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.problems import ProblemError, error
from randomizer.reading.files import suffix_of

MIN_RESEMBLANCE = 0.3
"""A file that no format recognises is of the most similar one if its ``resemblance`` is at least
this. With a larger number fewer damaged files have their faults reported; with a smaller one files
of other programs get the messages of a format that they are not of."""


def format_for(
    data: bytes, path: str, chosen: Collection[Format] = (), head: FileHead | None = None
) -> Format:
    """Return the format of a file: by its content, then by its suffix.

    Where several formats recognise the content, it is one of those that a person has ``chosen``.
    Content that only resembles a format, such as a damaged file, is of the most similar one, which
    reads it and says what is wrong with it. ``head`` is what the file was recognised as before, if
    that is known: while the file begins as it did then, its format, if it has one, is certain.

    Raises ProblemError if no format fits.
    """
    if not chosen and head is not None and head.map_format is not None:
        is_unchanged = data.startswith(head.data)
        if is_unchanged:
            return head.map_format

    if is_empty_file(data):
        expected = list(chosen) or _formats_with_suffix(suffix_of(path))
        raise ProblemError(problem_of_empty_file(expected, path))

    recognising_format = _recognising_format(data, chosen)
    if recognising_format is not None:
        return recognising_format

    # No format recognises the content: it is known to be of no map, is taken for what a person has
    # chosen, or resembles one.
    _refuse_known_strangers(data, path)
    for file_format in chosen:
        if file_format.readable:
            return file_format
    suffix = suffix_of(path)
    with_suffix = _formats_with_suffix(suffix)
    similar_format = _most_similar(data, with_suffix)
    if similar_format is not None:
        return similar_format

    # Only the suffix is left.
    if not _can_report_faults(data, suffix, with_suffix):
        message = _message_of_unknown(data, suffix, with_suffix)
        raise error("format-unknown", message, path=path)
    return with_suffix[0]


def _formats_with_suffix(suffix: str) -> list[Format]:
    """Return the readable formats whose files can have a suffix."""
    return [file_format for file_format in readable_formats() if suffix in file_format.suffixes]


def _recognising_format(data: bytes, chosen: Collection[Format]) -> Format | None:
    """Return a format that recognises a file: one of ``chosen`` if possible, else the first one.

    None if no format does.
    """
    first: Format | None = None
    for file_format in readable_formats():
        if not recognises(file_format, data):
            continue
        if not chosen or file_format in chosen:
            return file_format
        if first is None:
            first = file_format
    return first


def _refuse_known_strangers(data: bytes, path: str) -> None:
    """Raise ProblemError for a file of a program whose files are known, but cannot be read."""
    why_not = load("randomizer.systems.interchange.unread_files:why_not_read")(data)
    if why_not is not None:
        raise ProblemError(why_not.at_path(path))


def _can_report_faults(data: bytes, suffix: str, with_suffix: Collection[Format]) -> bool:
    """Return whether any format with the suffix of a damaged file can tell what is wrong with it.

    That is so if there is one only, or if the file is broken JSON or XML: each format reports at
    which line the JSON or XML breaks off.
    """
    if len(with_suffix) == 1:
        return True
    if not with_suffix:
        return False
    is_broken_json = suffix == ".json" and not _is_whole_json(data)
    return is_broken_json or suffix == ".xml"


def _message_of_unknown(data: bytes, suffix: str, with_suffix: Collection[Format]) -> str:
    """Return the message on a file of no format that can be read, with what may be the matter."""
    titles = ", ".join(file_format.title for file_format in with_suffix or readable_formats())
    if not with_suffix:
        message = f"this file is of no kind that can be read here ({titles})"
    elif suffix == ".json":
        message = f"this JSON is of no kind that can be read here ({titles})"
    else:
        message = f"this is none of the files that end in {suffix} ({titles})"
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return f"{message}; it is UTF-16 text: save it as UTF-8"
    return message


def _most_similar(data: bytes, with_suffix: Collection[Format]) -> Format | None:
    """Return the format that a file resembles most; None if it resembles none enough.

    Of formats that it resembles equally, one of ``with_suffix`` comes first.
    """
    best: Format | None = None
    best_rank = (0.0, False)
    for file_format in readable_formats():
        resemblance = 0.0
        with Guard(file_format):  # a fault of another package is reported, and it resembles nothing
            resemblance = file_format.resemblance(data)
        if resemblance < MIN_RESEMBLANCE:
            continue
        rank = (resemblance, file_format in with_suffix)
        if best is None or rank > best_rank:  # of equal ones the first stays
            best = file_format
            best_rank = rank
    return best


def _is_whole_json(data: bytes) -> bool:
    """Return whether the bytes are one JSON value, however large."""
    try:
        parse_json(data, largest=len(data))
    except (ValueError, RecursionError):
        return False
    return True
