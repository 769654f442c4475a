"""The periods that come with the package: files ``<name>.per`` with metadata in ``<name>.json``."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from randomizer.model.basics.caches import KB, registered
from randomizer.model.settings.metadata import Metadata, read_metadata

MODERN = "modern.per"
"""The period of maps that have none of their own."""


@registered(count=4, bytes_each=40 * KB)
@cache
def packaged_text(script: str) -> str:
    """Return the text of a packaged period, by its file name. Raises FileNotFoundError."""
    text: str = _folder().joinpath(script).read_text("latin-1")
    return text


@registered(count=1, bytes_each=20 * KB)
@cache
def packaged_metadata() -> tuple[Metadata, ...]:
    """Return the metadata of the packaged periods, the one of new maps first."""
    all_metadata = []
    for file in _folder().iterdir():
        if file.name.endswith(".json"):
            all_metadata.append(read_metadata(file.read_bytes(), file.name))
    return tuple(sorted(all_metadata, key=_rank))


def _rank(metadata: Metadata) -> tuple[bool, str]:
    """Return the key by which metadata are sorted: that of new maps first, then by name."""
    return metadata.script != MODERN, metadata.script


def _folder() -> Traversable:
    """Return the folder of the packaged periods, which may be inside of a zip file."""
    return files("randomizer.systems.xconq").joinpath("scripts")
