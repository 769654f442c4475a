"""SVG files: every piece is defined once and used at its positions; text stays text.

Qt draws each piece into an SVG of its own (``svg_of``). ``SharedParts`` defines what several pieces
have in common only once, and ``document`` puts the file together::

    <defs>
      <g id="s1">...</g>                                   shapes that pieces share
      <g id="p1"><use xlink:href="#s1" .../></g>           a piece
    </defs>
    <use xlink:href="#p1" x="3" y="1.7321"/>               the piece at a position
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QBuffer, QIODevice, QRectF
from PySide6.QtGui import QImage, QPainter

from app.paper.qt_svg import svg_of, svg_parts
from app.paper.svg_shared_parts import SharedParts
from app.render.piece import Piece
from app.render.vector.piece_painter import PiecePainter

if TYPE_CHECKING:
    from app.paper.page_plan import PagePlan
    from app.render.scene.batch import Batch
    from app.render.scene.pieces import Pieces

JPEG_QUALITY = 88
"""The quality of a picture in a file, up to 100; with more than 90 it would be twice as large."""

USES_AT_ONCE = 5000
"""The pieces that are placed in one step of the export, after which it can be cancelled."""


# --- the painter --------------------------------------------------------------------------------


class SvgPiecePainter(PiecePainter):
    """Collects the definitions of pieces and their uses, as elements of an SVG.

    Its methods do not use the painter that they are called with.
    """

    def __init__(self) -> None:
        self.uses: list[str] = []
        """The elements that show pieces and pictures at their positions, from below."""
        self._definitions: list[str] = []
        """The elements that define pieces."""
        self._ids: dict[object, str] = {}
        """The ids of the pieces that are defined, by their keys."""
        self._shared = SharedParts()

    @property
    def all_definitions(self) -> list[str]:
        """The definitions of shared parts, then those of the pieces, which use them."""
        return [*self._shared.definitions, *self._definitions]

    def draw_batch(
        self,
        painter: QPainter,
        pieces: Pieces | Sequence[Piece],
        batch: Batch,
        points: NDArray[np.float64],
    ) -> Iterator[None]:
        """Use the pieces of a batch at ``points`` (n, 2), in map units."""
        numbers = batch.piece_of.tolist()
        for index, (number, (x, y)) in enumerate(zip(numbers, points.tolist(), strict=True), 1):
            piece_id = self._define_once(pieces[number])
            self.uses.append(f'<use xlink:href="#{piece_id}" x="{x:.6g}" y="{y:.6g}"/>')
            if index % USES_AT_ONCE == 0:
                yield

    def draw_ground_picture(
        self, painter: QPainter, box: QRectF, picture: QImage
    ) -> Iterator[None]:
        """Put a picture of the whole ground into the file."""
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        # The stubs know bytes only.
        picture.save(buffer, "JPEG", JPEG_QUALITY)  # type: ignore[call-overload]
        data = b64encode(buffer.data().data()).decode("ascii")
        self.uses.append(
            f'<image x="{box.left():.6g}" y="{box.top():.6g}" width="{box.width():.6g}" '
            f'height="{box.height():.6g}" preserveAspectRatio="none" '
            f'xlink:href="data:image/jpeg;base64,{data}"/>'
        )
        yield

    def _define_once(self, piece: Piece) -> str:
        """Return the id of a piece, which is defined now if it was not yet."""
        piece_id = self._ids.get(piece.key)
        if piece_id is None:
            piece_id = f"p{len(self._ids) + 1}"
            self._ids[piece.key] = piece_id
            self._define(piece_id, piece)
        return piece_id

    def _define(self, piece_id: str, piece: Piece) -> None:
        """Define a piece: from below, ``under``, then ``draw`` and ``over`` within ``clip``."""
        if piece.part_of is None:
            body = self._shared.with_shared_parts(svg_of(piece.draw))
        else:  # a piece that draws the same, so that nothing has to be drawn again
            body = f'<use xlink:href="#{self._define_once(piece.part_of)}"/>\n'
        if piece.over is not None:
            body += self._shared.with_shared_parts(svg_of(piece.over))
        clip_path = ""
        if piece.clip is not None:
            corners = (piece.clip.at(index) for index in range(piece.clip.count()))
            points = " ".join(f"{corner.x():.4g},{corner.y():.4g}" for corner in corners)
            clip_id = f"{piece_id}-clip"
            clip_path = f'<clipPath id="{clip_id}"><polygon points="{points}"/></clipPath>\n'
            body = f'<g clip-path="url(#{clip_id})">\n{body}</g>\n'
        if piece.under is not None:
            body = self._shared.with_shared_parts(svg_of(piece.under)) + body
        self._definitions.append(f'{clip_path}<g id="{piece_id}">\n{body}</g>\n')


# --- the file -----------------------------------------------------------------------------------


def document(
    plan: PagePlan,
    title: str,
    background: str,
    piece_painter: SvgPiecePainter,
    drawn_over_pieces: QBuffer,
) -> bytes:
    """Return the file, in millimetres.

    ``background`` is a colour; "" for none. ``drawn_over_pieces`` has the SVG that Qt wrote of what
    is drawn over the pieces.
    """
    box = plan.box
    over_pieces = svg_parts(drawn_over_pieces)
    paper = ""
    if background:
        paper = f'<rect width="100%" height="100%" fill="{background}"/>\n'
    return "".join(
        (
            '<?xml version="1.0" encoding="UTF-8"?>\n',
            f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
            f'version="1.1" width="{plan.width:.3f}mm" height="{plan.height:.3f}mm" '
            f'viewBox="0 0 {plan.width:.3f} {plan.height:.3f}">\n',
            f"<title>{escape(title)}</title>\n<defs>\n",
            *piece_painter.all_definitions,
            f"{over_pieces.definitions}</defs>\n{paper}",
            # From map units to millimetres.
            f'<g transform="scale({plan.unit:.9g}) translate({-box.left:.9g} {-box.top:.9g})">\n',
            "\n".join(piece_painter.uses),
            f"\n{over_pieces.body}</g>\n</svg>\n",
        )
    ).encode()
