"""What dialogs for pictures make: ``Maker`` is the protocol, ``PictureMaker`` that of one map.

The dialog asks for values in its form. Its maker turns them into a file, in this order::

    request = maker.complete_request(request, ".png")    # also while the form is filled
    maker.describe(request, ".png").text                 # "1,200 x 900 pixels"
    kind = maker.kind_of_file(path)                      # the user has chosen a file
    work = maker.work(path, request, values)             # a job writes it
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from app.background.jobs import Work
from app.features.pictures.picture_description import Description, PictureDescriber
from app.paper.export import export_work, kind_of
from app.paper.picture_request import TABLES, PictureRequest
from app.paper.picture_settings import FOLDER
from app.paper.virtual_table import table_request, table_work
from randomizer.model.problems import error

if TYPE_CHECKING:
    from app.document.document import MapDocument


class Maker(Protocol):
    """Makes pictures of one map, as a ``PictureDialog`` asks for them."""

    is_always_pdf: bool
    """True if only pages in a PDF are made: then the form asks for no kind of file."""

    def values(self) -> Mapping[str, object]:
        """Return values to be remembered besides those of the form, by their names."""

    def complete_request(self, request: PictureRequest, kind: str) -> PictureRequest:
        """Return the request of the form with what the maker adds, for a file of this kind.

        Raises ProblemError if there can be no such file.
        """

    def describe(self, request: PictureRequest, kind: str) -> Description:
        """Return what will be made. Raises ProblemError if the request cannot be used."""

    def kind_of_file(self, path: Path) -> str:
        """Return the kind of a file that was chosen, its suffix in small letters.

        Raises ProblemError if that file cannot be written.
        """

    def work(self, path: Path, request: PictureRequest, values: Mapping[str, object]) -> Work:
        """Return the work of the job that writes a file; ``values`` are those of the form.

        The work returns a ``TableExport`` for a virtual table, else the path. Raises ProblemError
        if the picture cannot be made.
        """


class PictureMaker:
    """Makes one picture of the current map, or files of it for a virtual table."""

    is_always_pdf = False

    def __init__(self, document: MapDocument) -> None:
        self._document = document
        self._open_map = document.current_map
        """The map of the picture, whichever is current later."""
        self._describer = PictureDescriber(self._open_map)

    def values(self) -> Mapping[str, object]:
        """Return no values: all are those of the form."""
        return {}

    def complete_request(self, request: PictureRequest, kind: str) -> PictureRequest:
        """Return the request; that for a virtual table is without what the table itself draws.

        Raises ProblemError if it cannot be one for a virtual table.
        """
        if kind in TABLES:
            return table_request(request)
        return request

    def describe(self, request: PictureRequest, kind: str) -> Description:
        """Return what will be made. Raises ProblemError if the request cannot be used."""
        return self._describer.describe(request, kind)

    def kind_of_file(self, path: Path) -> str:
        """Return the kind of a file that was chosen.

        Raises ProblemError for an unknown suffix, and if a file would be replaced about which
        nobody was asked.
        """
        if path.suffix.lower() not in TABLES:
            return kind_of(path)
        written_path = _path_of_table(path)
        self._check_may_write(written_path, chosen_path=path)
        return written_path.suffix

    def _check_may_write(self, written_path: Path, chosen_path: Path) -> None:
        """Raise ProblemError if a file would be replaced about which nobody was asked.

        The dialog for files has asked about ``chosen_path`` only, whose suffix can be in capitals.
        """
        if any(open_map.path == written_path for open_map in self._document.maps):
            message = f"{written_path.name} is the file of an open map: choose another name"
            raise error("file-of-a-map", message, path=str(written_path))
        if written_path != chosen_path and written_path.exists():
            message = f"{written_path.name} is there already: choose it by this name"
            raise error("file-there", message, path=str(written_path))

    def work(self, path: Path, request: PictureRequest, values: Mapping[str, object]) -> Work:
        """Return the work of the job that writes the picture or the files for a virtual table."""
        battlemap = self._open_map.battlemap
        if path.suffix.lower() in TABLES:
            folder = str(values[FOLDER.name])
            return table_work(battlemap, request, folder, _path_of_table(path))
        return export_work(path, request, battlemap, self._open_map.live_composite())


def _path_of_table(path: Path) -> Path:
    """Return the path of a file for a virtual table, whose suffix such programs know in small."""
    return path.with_suffix(path.suffix.lower())
