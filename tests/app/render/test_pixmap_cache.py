"""Pixmaps that can be drawn again: those used last stay, within a size."""

from __future__ import annotations

from PySide6.QtGui import QPixmap

from app.render.pixmap_cache import PixmapCache


def square(side: int) -> QPixmap:
    return QPixmap(side, side)


def test_the_pixmap_that_was_not_used_for_longest_goes_first(qapp):
    one = square(10).width() * 10 * square(10).depth() // 8
    cache = PixmapCache(3 * one)
    for key in "abc":
        cache.put(key, square(10))
    assert cache.get("a") is not None
    cache.put("d", square(10))
    assert [key for key in "abcd" if cache.get(key) is not None] == ["a", "c", "d"]
    assert cache.bytes == 3 * one


def test_a_pixmap_beyond_the_size_is_kept_alone(qapp):
    cache = PixmapCache(100)
    cache.put("small", square(2))
    cache.put("large", square(50))
    assert cache.get("small") is None
    assert cache.get("large") is not None


def test_a_pixmap_is_drawn_once(qapp):
    cache = PixmapCache(10_000)
    drawn = []

    def draw() -> QPixmap:
        drawn.append(1)
        return square(4)

    assert cache.get_or_draw("a", draw) is cache.get_or_draw("a", draw)
    cache.clear()
    cache.get_or_draw("a", draw)
    assert (len(drawn), cache.bytes) == (2, 4 * 4 * square(4).depth() // 8)
