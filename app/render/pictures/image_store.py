"""The images that have been painted of pictures, in a few sizes each.

An image shows a *subject*, such as the ground of a terrain or one of its trees. Its size is told by
its *unit*: the pixels of the image in one map unit::

    store.add(subject, 36.0, image)
    store.get(subject, 36.0)      # the image
    store.get(subject, 72.0)      # None: not painted yet
"""

from __future__ import annotations

from collections.abc import Hashable, Set
from typing import Protocol

from PySide6.QtGui import QImage

from randomizer.model.terrain.terrain import Terrain


class Subject(Hashable, Protocol):
    """What an image shows; equal subjects share their images."""

    @property
    def terrain(self) -> Terrain:
        """The terrain in whose colour the image is."""


def picture_name(terrain: Terrain) -> str:
    """Return the name of the picture of a terrain: its own name unless it shows another one."""
    return terrain.picture or terrain.name


class ImageStore:
    """Images by their subject and their unit.

    Threads share a store without a lock, by two rules: an image does not change once it is added,
    and no method goes through a dictionary that another thread may change, but through a copy of
    it. If two threads paint the same image, it is painted once more than needed, and both look the
    same. So it is if one drops an image while another adds a size of it.
    """

    def __init__(self) -> None:
        self._sizes: dict[Subject, dict[float, QImage]] = {}
        """For each subject its images, by their unit."""

    @property
    def byte_count(self) -> int:
        """The memory that the images take, in bytes."""
        total = 0
        for sizes in list(self._sizes.values()):
            total += sum(image.sizeInBytes() for image in list(sizes.values()))
        return total

    def get(self, subject: Subject, unit: float) -> QImage | None:
        """Return the image of a subject with this unit; None if there is none."""
        sizes = self._sizes.get(subject)
        if sizes is None:
            return None
        return sizes.get(unit)

    def largest(self, subject: Subject) -> QImage | None:
        """Return the image of a subject with the largest unit; None if it has no image."""
        sizes = self._sizes.get(subject)
        if sizes is None:
            return None
        largest_unit = max(list(sizes))
        return sizes[largest_unit]

    def add(self, subject: Subject, unit: float, image: QImage) -> None:
        """Store an image, which nobody may draw on any more."""
        # No subject is ever stored without an image: other threads may ask for its largest one.
        sizes = self._sizes.setdefault(subject, {unit: image})
        sizes[unit] = image

    def keep_only(self, names: Set[str]) -> None:
        """Drop all images but those of the pictures with these names (``picture_name``)."""
        for subject in list(self._sizes):
            if picture_name(subject.terrain) not in names:
                self._sizes.pop(subject, None)  # another thread may have been faster

    def clear(self) -> None:
        """Drop all images."""
        self._sizes.clear()
