"""Scripts of the user's own: their hosts, their generators, and the problems in them.

    host = script_host("mainland.js", content=text)     # that of 0 A.D.
    generator = generator_for_script(text, "mainland.js")
    problems = check_script(text, "mainland.js")

A *script host* makes generators of the scripts of one game. A script is given to the functions here
as a text, not as a file (script_files.py reads files); those about one script take

- ``text``, the script itself;
- ``file_name``, without its folder: where the text does not tell the host, the suffix does;
- ``texts``, what else belongs to the script, by file name: its metadata (``mainland.json``) and the
  libraries that it includes;
- ``path``, the whole path of the file, which stands in the problems; None for a script without one.

They raise ProblemError for a suffix that no host has.
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
from randomizer.model.records.assets import picture_kind
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
    """Return the suffix of a script whose host nobody has chosen, such as one that is new.

    It is the first one of the first host in the catalogue, which is of this package.
    """
    host: ScriptHost = next(all_entries("SCRIPT_HOSTS"))
    return host.suffixes[0]


def script_host(file_name: str, path: str | None = None, content: str | bytes = b"") -> ScriptHost:
    """Return the host of a script: that which recognises its content, else that of the suffix.

    ``content`` is its text or its bytes, as far as known. Only hosts of this package are asked for
    the content. A picture is called one, whatever its name.
    """
    start = content[:SCRIPT_START]
    if isinstance(start, str):
        start = start.encode("utf-8", "replace")
    if start:
        for own_host in cast("Iterator[ScriptHost]", own_entries("SCRIPT_HOSTS")):
            if own_host.recognises(start):
                return own_host
    if isinstance(content, bytes):
        kind = picture_kind(content)
        if kind:
            message = f"this is a picture ({kind}), which is neither a script nor a map"
            raise error("format-is-picture", message, path=path)
    suffix = suffix_of(file_name)
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
    text: str, file_name: str, *, texts: Mapping[str, str] = NO_TEXTS, path: str | None = None
) -> MapGenerator:
    """Return the generator of a script of the user's own."""
    host = script_host(file_name, path, text)
    return host.generator(SourceText(text, file_name, texts, path))


def generator_of_empty_script(
    text: str, file_name: str, *, texts: Mapping[str, str] = NO_TEXTS, path: str | None = None
) -> MapGenerator:
    """Return the generator of an empty script with the host, and the ``texts``, of this one.

    It has the system, the settings and the usual seeds of the script's generator, and is made at
    once however long the script is, and whatever mistakes are in it.
    """
    host = script_host(file_name, None, text)
    # The path is for problems in the further texts, such as the metadata: the empty text is not
    # that of the file.
    path_of_texts = None
    if texts:
        path_of_texts = path
    return host.generator(SourceText("", file_name, texts, path_of_texts))


def check_script(
    text: str, file_name: str, *, texts: Mapping[str, str] = NO_TEXTS, path: str | None = None
) -> tuple[Problem, ...]:
    """Return all problems that its host finds in a script, errors and others."""
    host = script_host(file_name, path, text)
    return host.check(SourceText(text, file_name, texts, path))
