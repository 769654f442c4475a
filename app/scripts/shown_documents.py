"""The script documents of the desk, and which of them each open map shows.

``ShownScript`` makes the one ``ShownDocuments`` and gives it to the services of scripts, which
ask it for the document of the current map::

    documents.current.text.text()       # another document with each map: it is never stored

Several maps can show one document: a file has one text.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.document.document import MapDocument
from app.document.open_map import OpenMap
from app.scripts.script import NO_SCRIPT, Script
from app.scripts.script_document import KnownFiles, ScriptDocument


class ShownDocuments(QObject):
    """A collection of the documents that open maps show; a new one comes before its map shows it.

    A map that was never the current one shows none yet.
    """

    forgotten = Signal(object)
    """No open map shows this ``ScriptDocument`` any more; it is deleted later."""

    def __init__(self, map_document: MapDocument, parent: QObject) -> None:
        super().__init__(parent)
        self._map_document = map_document
        self._documents: set[ScriptDocument] = set()
        self._by_map: dict[OpenMap, ScriptDocument] = {}
        self.known_files: KnownFiles = {}
        """What is known of each script file since the desk last read or wrote it."""
        self.current = self.new(NO_SCRIPT)
        """The document that the current map shows; at first an empty one that no map shows."""

    def __iter__(self) -> Iterator[ScriptDocument]:
        return iter(self._documents)

    def __len__(self) -> int:
        return len(self._documents)

    def __contains__(self, document: object) -> bool:
        return document in self._documents

    def new(self, script: Script, *, in_map: bool = False) -> ScriptDocument:
        """Return a new document, which a map has to show before ``delete_unused`` is called.

        ``in_map``: the current map holds its text.
        """
        document = ScriptDocument(script, self.known_files, self, in_map=in_map)
        self._documents.add(document)
        return document

    def show(self, open_map: OpenMap, document: ScriptDocument) -> None:
        """Note that a map shows a document from now on."""
        self._by_map[open_map] = document

    def of_map(self, open_map: OpenMap) -> ScriptDocument | None:
        """Return the document that a map shows, None if it shows none yet."""
        return self._by_map.get(open_map)

    def of_file(self, path: Path | None) -> ScriptDocument | None:
        """Return the document of a script file; None if there is none, or no file."""
        if path is None:
            return None
        file = path.absolute()
        for document in self._documents:
            if document.file == file:
                return document
        return None

    def maps_of(self, document: ScriptDocument) -> list[OpenMap]:
        """Return the open maps that show a document, in the order of their tabs."""
        maps = self._map_document.maps
        return [open_map for open_map in maps if self._by_map.get(open_map) is document]

    def delete_unused(self) -> None:
        """Delete the documents that no open map shows any more, but for the current one."""
        for open_map in self._by_map.keys() - set(self._map_document.maps):
            del self._by_map[open_map]
        documents_in_use = {self.current, *self._by_map.values()}
        for document in self._documents - documents_in_use:
            self._documents.remove(document)
            self.forgotten.emit(document)
            document.deleteLater()
