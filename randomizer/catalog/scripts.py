"""Scripts of the user's own: their hosts, their generators, and the problems in them.

    host = script_host("mainland.js", content=text)     # that of 0 A.D.
    generator = generator_for_script(text, "mainland.js")
    problems = check_script(text, "mainland.js")

A *script host* makes generators of the scripts of one game. Their files are read in
``script_files.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from randomizer.catalog.catalog import all_entries, own_entries
from randomizer.generator import MapGenerator
from randomizer.installed import Guard
from randomizer.languages.language import SourceText
from randomizer.model.map.layer import NO_TEXTS
from randomizer.model.problems import Problem, error
from randomizer.reading.files import suffix_of
from randomizer.scripts.script_hosts import ScriptHost, Skeleton

SCRIPT_START = 1000
"""The bytes at the beginning of a file by which a script is recognised."""


def script_hosts() -> tuple[ScriptHost, ...]:
    """Return all script hosts."""
    return tuple(all_entries("SCRIPT_HOSTS"))


def skeletons() -> tuple[Skeleton, ...]:
    """Return the scripts to begin with, of every host that has one."""
    result: list[Skeleton] = []
    for host in script_hosts():
        with Guard(host):
            skeleton = host.skeleton()
            if skeleton is not None:
                result.append(skeleton)
    return tuple(result)


def script_suffixes() -> tuple[str, ...]:
    """Return the suffixes of the scripts of all hosts."""
    suffixes: list[str] = []
    for host in script_hosts():
        suffixes += host.suffixes
    return tuple(suffixes)


def usual_script_suffix() -> str:
    """Return the first suffix of the first script host."""
    host: ScriptHost = next(all_entries("SCRIPT_HOSTS"))
    return host.suffixes[0]


def script_host(script: str, path: str | None = None, content: str | bytes = b"") -> ScriptHost:
    """Return the host of a script: that which recognises its content, else that of the suffix.

    ``script`` is its file name, ``content`` its text or bytes as far as known. Raises ProblemError
    for an unknown suffix.
    """
    start = content[:SCRIPT_START]
    if isinstance(start, str):
        start = start.encode("utf-8", "replace")
    if start:
        for own_host in cast("Iterator[ScriptHost]", own_entries("SCRIPT_HOSTS")):
            if own_host.recognises(start):
                return own_host
    suffix = suffix_of(script)
    for host in cast("Iterator[ScriptHost]", all_entries("SCRIPT_HOSTS")):
        if suffix in host.suffixes:
            return host
    raise error(
        "script-suffix",
        f"no system has scripts that end in {suffix or 'nothing'} "
        f"(known: {', '.join(script_suffixes())})",
        path=path,
    )


def generator_for_script(
    text: str, script: str, path: str | None = None, texts: Mapping[str, str] = NO_TEXTS
) -> MapGenerator:
    """Return the generator of a script of the user's own; ``script_host`` chooses the host.

    ``texts`` are the script's further texts by file name. Raises ProblemError for an unknown
    suffix.
    """
    return script_host(script, path, text).generator(SourceText(text, script, texts, path))


def empty_generator(
    script: str, content: str, texts: Mapping[str, str] = NO_TEXTS, path: str | None = None
) -> MapGenerator:
    """Return the generator of an empty script of the same host.

    It has the system, the settings and the usual seeds of the script's generator. Nothing of the
    content is read but what ``script_host`` looks at. ``texts`` are the script's further texts,
    such as its metadata. Raises ProblemError for an unknown suffix.
    """
    host = script_host(script, None, content)
    # Only further texts are located by the path: the empty text is not that of the file.
    path_of_texts = None
    if texts:
        path_of_texts = path
    return host.generator(SourceText("", script, texts, path_of_texts))


def check_script(
    text: str, script: str, texts: Mapping[str, str] = NO_TEXTS, path: str | None = None
) -> tuple[Problem, ...]:
    """Return all problems that its host finds in a script, errors and others.

    ``texts`` are the script's further texts by file name. Raises ProblemError for an unknown
    suffix.
    """
    return script_host(script, path, text).check(SourceText(text, script, texts, path))
