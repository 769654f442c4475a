"""What the host needs of the mods that a script can use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol


class ModData(Protocol):
    """Reads files of the mods by their path from the mod root; what is not there is None.

    Paths come from scripts: one that leads out of a mod is not there.
    """

    def text(self, path: str) -> str | None:
        """A text file."""

    def exists(self, path: str) -> bool:
        """Whether there is a file."""

    def list(self, folder: str, recurse: bool) -> Sequence[str]:
        """The full paths of the files in a folder, sorted."""

    def template(self, name: str) -> object:
        """A template of an entity as JSON value; an empty leaf is None."""

    def template_exists(self, name: str) -> bool:
        """Whether there is a template."""

    def find_templates(self, path: str, recurse: bool) -> Sequence[str]:
        """The names of templates below a path."""

    def find_actor_templates(self, path: str, recurse: bool) -> Sequence[str]:
        """The names of actors below a path."""

    def heightmap_image(self, path: str) -> Sequence[int] | None:
        """The heights of the corners that a picture gives, row by row."""

    def map_terrain(self, path: str) -> Mapping[str, object] | None:
        """The terrain of a map file (PMP)."""
