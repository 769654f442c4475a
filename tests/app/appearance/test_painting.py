"""Painters end and get their state back whatever happens between."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QImage, QPainter

import app
from app.appearance.painting import painting, saved_state
from tests.sources import sources_with

ROOT = Path(app.__file__).parent
HERE = "appearance/painting.py"
ENDED_BY_ITS_OWNER = {"paper/page_painter.py": "PagePainter.close ends it: it paints many pages"}


def image() -> QImage:
    made = QImage(4, 4, QImage.Format.Format_RGB32)
    made.fill(0)
    return made


def test_a_painter_ends_where_painting_fails(qapp):
    device = image()
    with pytest.raises(ValueError, match="a fault"), painting(device) as painter:
        raise ValueError("a fault")
    assert not painter.isActive()
    assert not device.paintingActive()


def test_the_state_of_a_painter_comes_back_where_painting_fails(qapp):
    def fail(painter: QPainter) -> None:
        with saved_state(painter):
            painter.setOpacity(0.5)
            raise ValueError("a fault")

    with painting(image()) as painter:
        with pytest.raises(ValueError, match="a fault"):
            fail(painter)
        assert painter.opacity() == 1.0


def bare(tree: ast.AST) -> Iterator[int]:
    """The lines where a painter is begun, or its state saved, without being sure of the end."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="QPainter"), args=[_, *_]):
                yield node.lineno
            case ast.Call(func=ast.Attribute(attr="save", value=ast.Name(id=name)), args=[]):
                if "paint" in name:
                    yield node.lineno


def test_painters_are_made_and_saved_only_so():
    found = [
        f"{name}:{line}"
        for path, text in sources_with(["QPainter(", ".save("], ROOT)
        if (name := path.relative_to(ROOT).as_posix()) not in (HERE, *ENDED_BY_ITS_OWNER)
        for line in bare(ast.parse(text))
    ]
    assert found == []


@pytest.mark.parametrize("code", ["QPainter(self)", "painter.save()", "on_paint.save()"])
def test_a_bare_painter_is_found(code):
    assert list(bare(ast.parse(code)))
