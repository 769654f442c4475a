"""The program has no access to any network: not in a test, and by no module of its own."""

from __future__ import annotations

import ast
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sources import sources_with

ROOT = Path(__file__).resolve().parents[1]
NETWORK = {
    *("asyncio", "ftplib", "http", "imaplib", "nntplib", "poplib", "smtplib", "socket"),
    *("socketserver", "ssl", "telnetlib", "urllib", "webbrowser", "wsgiref", "xmlrpc"),
    *("aiohttp", "httpx", "requests", "urllib3"),
}
OF_QT = ("QtNetwork", "QtWebEngine", "QtWebSockets", "QtWebView", "QtHttpServer", "QtBluetooth")
OPENING = ("openUrl", "setOpenExternalLinks")
"""What hands files and links to other programs."""
HARMLESS = "urllib.parse"
"""It takes texts apart and puts them together."""
FREE_PORT = "randomizer/systems/colossus/battle/game_launch.py"
"""Asks this machine for a free port, which it tells the user's own game; it sends nothing."""


@pytest.fixture(scope="module")
def trees() -> dict[str, list[ast.AST]]:
    """The nodes that import or call, of each module that can have to do with a network."""
    kinds = ast.Import | ast.ImportFrom | ast.Call
    words = {*NETWORK, *OF_QT, *OPENING}
    return {
        file.relative_to(ROOT).as_posix(): [
            node for node in ast.walk(ast.parse(text)) if isinstance(node, kinds)
        ]
        for file, text in sources_with(words, ROOT / "app", ROOT / "randomizer")
    }


def imported(nodes: list[ast.AST]) -> Iterator[str]:
    """The modules that a file imports, wherever in it, with what is taken from them."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield str(node.module)
            yield from (f"{node.module}.{name.name}" for name in node.names)


def test_no_module_imports_what_reaches_a_network(trees) -> None:
    imports = set()
    for file, nodes in trees.items():
        for name in imported(nodes):
            of_qt = name.startswith("PySide6.") and name.split(".")[1].startswith(OF_QT)
            if of_qt or (name.split(".")[0] in NETWORK and not name.startswith(HARMLESS)):
                imports.add((file, name))
    assert imports == {(FREE_PORT, "socket")}


def test_the_one_socket_is_bound_to_this_machine_and_nothing_connects_to_it() -> None:
    text = (ROOT / FREE_PORT).read_text("utf-8")
    assert text.count("socket.") == 1
    assert 'listening.bind(("127.0.0.1", 0))' in text
    assert not [word for word in (".connect(", ".listen(", ".accept(", ".send") if word in text]


def test_other_programs_are_given_files_and_the_links_of_the_manual_that_one_clicks(trees) -> None:
    calls = {
        (node.func.attr, ast.unparse(node.args[0]).partition("(")[0])
        for nodes in trees.values()
        for node in nodes
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in OPENING
    }
    assert calls == {("openUrl", "QUrl.fromLocalFile"), ("setOpenExternalLinks", "True")}


@pytest.mark.parametrize("address", [("192.0.2.1", 9), ("127.0.0.1", 9)])
def test_a_test_connects_to_nothing_and_looks_up_no_host(address: tuple[str, int]) -> None:
    with socket.socket() as calling, pytest.raises(PermissionError, match="there is no network"):
        calling.connect(address)
    with socket.socket(type=socket.SOCK_DGRAM) as sending, pytest.raises(PermissionError):
        sending.sendto(b"x", address)
    with pytest.raises(PermissionError, match="no name of a host"):
        socket.create_connection(("localhost", 9))
    first, second = socket.socketpair()
    with first, second:
        first.send(b"x")
        assert second.recv(1) == b"x"
