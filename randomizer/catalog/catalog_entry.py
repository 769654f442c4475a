"""An entry of the catalogue of scripts: what is known of a script before it is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from randomizer.generator import MapGenerator
from randomizer.model.settings.metadata import Metadata
from randomizer.model.system.system import System

PACKAGED = "Battlelands Builder"
"""The origin of packaged generators."""

HIDDEN = "hidden"
"""The keyword in a script's metadata by which lists leave it out."""


@dataclass(frozen=True, eq=False)
class CatalogEntry:
    """A script with one metadata file; the same script with another one is another entry."""

    system: System
    """The system of the maps that it makes."""

    metadata: Metadata

    generator: Callable[[], MapGenerator]
    """Reads the script and returns its generator; it can be slow, and raises ProblemError."""

    origin: str = PACKAGED
    """Where it comes from, as it is shown: this program, the user's folders, a game."""

    path: str = ""
    """The path of the metadata file; "" for a packaged generator."""

    preview: Callable[[], bytes | None] = lambda: None
    """Reads a picture (PNG) of a map; returns None if there is none. It can be slow."""

    preview_part: tuple[int, int] | None = None
    """The width and height, in pixels, of the left upper part of the picture, which alone is shown.

    None: the whole picture is shown.
    """

    script: Path | None = None
    """The file of a script that the user may change; None for others."""

    @property
    def key(self) -> tuple[str, str, str]:
        """System, origin, and path or name: different for every entry."""
        return self.system.name, self.origin, self.path or self.metadata.name

    @property
    def hidden(self) -> bool:
        """True if lists of scripts leave it out."""
        return HIDDEN in self.metadata.keywords

    def matches(self, words: str) -> bool:
        """Return whether a search for some words, with blanks between them, finds the entry.

        All of them must occur in name, description, keywords or origin, in any case: "isl small"
        finds "Small islands".
        """
        metadata = self.metadata
        text = " ".join((metadata.name, metadata.description, *metadata.keywords, self.origin))
        return _contains_all(text, words)

    def name_matches(self, words: str) -> bool:
        """Return whether such a search finds the entry by its name alone."""
        return _contains_all(self.metadata.name, words)


def _contains_all(text: str, words: str) -> bool:
    """Return whether all words, in any case, occur in a text, also within its words."""
    return all(word in text.lower() for word in words.lower().split())
