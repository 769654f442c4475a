"""The panel of the gallery."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.gallery.controller import GalleryController

if TYPE_CHECKING:
    from app.desk.desk import Desk
    from app.features.gallery.panel import GalleryPanel


def make(desk: Desk) -> GalleryPanel:
    """The panel, wired to the desk."""
    return GalleryController(desk).panel
