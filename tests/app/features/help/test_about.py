"""About: the version, the build of a bundle, and the licences of what the program is made of."""

from __future__ import annotations

import json

import pytest
from PySide6.QtWidgets import QDialog, QTextBrowser

from app.features.help import parts


@pytest.fixture
def features():
    return ("help",)


def text_of(desk):
    desk.commands.run("help.about-battlelands-builder")
    (dialog,) = desk.frame.findChildren(QDialog)
    return dialog.findChild(QTextBrowser).toPlainText()


def test_it_tells_the_packages_that_the_program_needs_and_no_others(window):
    text = text_of(window.desk)
    assert text.startswith(f"Battlelands Builder {parts.own_version()}\n")
    for part in (
        "battlelands-builder",
        "numpy",
        "PySide6_Essentials",
        "shiboken6",
        "mini-racer",
        "Python",
    ):
        assert f"\n{part}  \n" in text
    assert "LGPL" in text
    assert "pytest" not in text
    assert "Extensions of protocol 2: " in text


@pytest.mark.usefixtures("frozen")
def test_in_a_bundle_it_tells_the_build_and_all_that_was_put_in(window, monkeypatch, tmp_path):
    record = {"commit": "abc1234", "date": "2026-11-25", "parts": [["libxcb1", "1.15", "MIT"]]}
    (tmp_path / parts.BUILD).write_text(json.dumps(record), "utf-8")
    monkeypatch.setattr(parts, "files", lambda _package: tmp_path)  # the bundle's own folder
    text = text_of(window.desk)
    assert "built from abc1234 of 2026-11-25" in text
    assert "libxcb1" in text
    assert "the program that needs no Python loads none" in text


@pytest.mark.parametrize(
    ("requirement", "name"),
    [
        ("numpy<3,>=1.26", "numpy"),
        ("PySide6_Essentials==6.11.3", "pyside6-essentials"),
        ('mini-racer<0.15,>=0.14.1; extra == "scripts"', "mini-racer"),
        ('colorama; sys_platform == "win32"', "colorama"),
        ('pytest>=8; extra == "dev"', ""),
    ],
)
def test_what_only_developers_need_is_no_part(requirement, name):
    assert parts.required_package(requirement) == name
