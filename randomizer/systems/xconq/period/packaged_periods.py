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
    metadata = [
        read_metadata(entry.read_bytes(), entry.name)
        for entry in _folder().iterdir()
        if entry.name.endswith(".json")
    ]
    return tuple(sorted(metadata, key=lambda entry: (entry.script != MODERN, entry.script)))


def _folder() -> Traversable:
    return files("randomizer.systems.xconq").joinpath("scripts")
