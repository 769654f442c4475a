"""The SVG that Qt writes for a drawing, made short.

The elements that ``QSvgGenerator`` writes are much longer than they need to be: each shape has a
group with a pen and a font, and a text with a halo is written twice. ``svg_of`` draws and shortens,
``svg_parts`` shortens what was drawn::

    <g fill="#ff0000" fill-opacity="1" stroke="none" transform="matrix(1,0,0,1,3.12346,1)"
    font-family="Sans Serif" font-size="9" font-weight="400" font-style="normal"
    >
    <polygon fill-rule="evenodd" vector-effect="none" points="0,0 1,0 0,1 " />
    </g>

becomes ::

    <g fill="#ff0000" fill-opacity="1" stroke="none" transform="matrix(1,0,0,1,3.123,1)">
    <polygon points="0,0 1,0 0,1 " />
    </g>

The patterns are for the text that Qt 6 writes, and not for other SVGs.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape
from typing import NamedTuple

from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QFont, QPainter
from PySide6.QtSvg import QSvgGenerator

from app.appearance.painting import painting
from app.render.vector.overlay_batches import HALO, TYPE_SIZE


class QtSvg(NamedTuple):
    """An SVG that Qt wrote for one drawing: its definitions, and the elements after these."""

    definitions: str
    body: str


# --- the patterns ---------------------------------------------------------------------------------

_PEN_WITHOUT_BRUSH = (
    'stroke="#000000" stroke-opacity="1" stroke-width="1" '
    'stroke-linecap="butt" stroke-linejoin="miter" stroke-miterlimit="4"'
)
"""What Qt writes for shapes that have no stroke, since their pen has no brush."""

_EMPTY_GROUP = re.compile(r"<g [^<>]*>\s*</g>\s*")
"""A group with attributes but without content, such as a font that no text has."""

_FONT_OF_SHAPES = re.compile(r'\sfont-family="[^"]*"[^<>]*(?=>\s*<(?!text))')
"""The font of a group that has no text."""

_REDUNDANT_ATTRIBUTES = re.compile(
    r"""
    [ ] vector-effect="none"
    | [ ] transform="matrix\(1,0,0,1,0,0\)"
    """,
    re.VERBOSE,
)
"""Attributes that say what is so without them."""

_FILL_RULE_OF_SHAPE = re.compile(r'(?P<shape><(?:path|polygon)) fill-rule="evenodd"')
"""The fill rule of a path or polygon, whose group has the same one."""

_TEXT_OR_FRACTION = re.compile(
    r"""
    > [^<]*                                 # what stands between two tags, such as a text's letters
    | (?P<fraction> -? \d* \. \d{4,} (?! [\de] ) )    # in a tag
    """,
    re.VERBOSE,
)
"""A number in a tag with four digits or more behind the point, without an exponent.

It matches the letters of texts, too, so that no number is found among these.
"""

_TEXT_GROUP = (
    r'<g [^<>]*transform="{transform}"\s+{font}\s*>\s*'
    r'<text fill="{fill}" fill-opacity="{opacity}" stroke="none" xml:space="preserve" '
    r"{position} [^<>]*>{text}</text>\s*</g>\s*"
)
"""A text as Qt writes it, in a group with its font; the fields in braces are patterns.

It depends on the order of the attributes that Qt writes::

    <g fill="none" stroke="#ffffff" ... stroke-linejoin="bevel" transform="matrix(1,0,0,1,3,4)"
    font-family="Sans Serif" font-size="9" font-weight="400" font-style="normal"
    >
    <text fill="#ffffff" fill-opacity="1" stroke="none" xml:space="preserve" x="1" y="2" ...
     >Moor</text>
    </g>
"""

_TEXT_WITH_HALO = re.compile(
    _TEXT_GROUP.format(
        transform=r"(?P<transform>[^<>\"]*)",
        font=r"(?P<font>font-family=[^<>]*?)",
        fill=r"(?P<halo>#\w+)",
        opacity=r"(?P<opacity>[0-9.]+)",
        position=r"(?P<position>x=\"[^\"]*\" y=\"[^\"]*\")",
        text=r"(?P<text>[^<>]*)",
    )
    + _TEXT_GROUP.format(
        transform=r"(?P=transform)",
        font=r"(?P=font)",
        fill=r"(?P<ink>#\w+)",
        opacity=r"[0-9.]+",
        position=r"(?P=position)",
        text=r"(?P=text)",
    )
)
"""A text in the colour of its halo, then the same text at the same position in its own colour.

The function ``draw_text`` draws both: were the text stroked by Qt, the outlines of its letters
would be written, which are seven times as large.
"""

_STROKED_TEXT = (
    r'<g transform="\g<transform>" \g<font> xml:space="preserve">'
    r'<text \g<position> fill="none" stroke="\g<halo>" stroke-opacity="\g<opacity>" '
    rf'stroke-width="{TYPE_SIZE * HALO:g}" stroke-linejoin="round">\g<text></text>'
    r'<text \g<position> fill="\g<ink>">\g<text></text></g>' + "\n"
)
"""The replacement for ``_TEXT_WITH_HALO``: the text with a stroke, then without."""


def svg_of(draw: Callable[[QPainter], None]) -> QtSvg:
    """Return the SVG of what ``draw`` draws, made short."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
    generator.setOutputDevice(buffer)
    with painting(generator) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw(painter)
    return svg_parts(buffer)


def svg_parts(buffer: QBuffer) -> QtSvg:
    """Return the definitions and the body of the SVG that Qt wrote into ``buffer``, made short.

    Halos of texts become strokes.
    """
    text = bytes(buffer.data().data()).decode("utf-8")
    head, _, body = text.partition("</defs>")
    definitions = head.partition("<defs>")[2]
    body = body.removesuffix("</svg>\n")

    # The clips of Qt are rounded to whole units, and nested ones are missing. They are removed: the
    # definition of a piece has its own clip.
    definitions = re.sub(r"<clipPath.*?</clipPath>\s*", "", definitions, flags=re.DOTALL)
    body = re.sub(r' clip-path="url\(#\w+\)"', "", body)

    body = _EMPTY_GROUP.sub("", body)
    body = body.replace(_PEN_WITHOUT_BRUSH, 'stroke="none"')
    body = _REDUNDANT_ATTRIBUTES.sub("", body)
    body = _FILL_RULE_OF_SHAPE.sub(r"\g<shape>", body)
    body = _FONT_OF_SHAPES.sub("", body)
    body = _TEXT_OR_FRACTION.sub(_shortened, body)
    body = _TEXT_WITH_HALO.sub(_STROKED_TEXT, body)

    # For programs that do not have the font.
    family = escape(QFont().family())
    body = body.replace(f'font-family="{family}"', f'font-family="{family}, sans-serif"')
    return QtSvg(definitions, body)


def _shortened(match: re.Match[str]) -> str:
    """Return a number with as many digits as can be seen: a map unit is some millimetres.

    What stands between two tags is returned as it is.
    """
    if match["fraction"] is None:
        return match[0]
    number = float(match["fraction"])
    if abs(number) >= 0.1:
        return f"{number:.3f}".rstrip("0").rstrip(".")
    # A small number may be a scale, of which three digits behind the point would leave too little.
    return f"{number:.3g}"
