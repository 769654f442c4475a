"""A map goes onto paper: the dialog that prints, answered as a person does."""

from __future__ import annotations


def test_the_pages_of_a_print_are_saved_as_a_pdf(qtbot, window, hand, tmp_path):
    path = tmp_path / "map.pdf"
    hand.expect("Print").press("Save as PDF...")
    hand.expect("Save as PDF").type_path(path)
    window.desk.commands.run("file.print")
    qtbot.waitUntil(lambda: path.exists() and path.stat().st_size > 20_000)
    assert path.read_bytes().startswith(b"%PDF")
