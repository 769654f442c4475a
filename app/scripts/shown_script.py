"""The script that the current map shows, with the services about its text, settings and file.

``ShownScript`` is what the script panel is a view of. Which script each open map shows is decided
above it: by ``MapFollower`` for maps that become current, by ``ScriptOpening`` for scripts that are
opened, and by ``LayerScripts`` for layers that become active. All of them call ``show_script`` or
``show_document``. ``ScriptProvider`` gives the shown script to ``Rolling``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.document.document import MapDocument
from app.qt_guard import connect
from app.rolling.rolling import Rolling
from app.scripts.editor_link import EditorLink
from app.scripts.file_changes import FileChanges
from app.scripts.map_script import MapScript
from app.scripts.map_text import MapText
from app.scripts.outdated_map import OutdatedMap
from app.scripts.project_texts import ProjectTexts
from app.scripts.script import Script
from app.scripts.script_checker import ScriptChecker
from app.scripts.script_document import ScriptDocument
from app.scripts.script_files import ScriptFiles
from app.scripts.script_settings import ScriptSettings
from app.scripts.script_setups import ScriptSetups
from app.scripts.script_text import ScriptText
from app.scripts.shown_documents import ShownDocuments
from app.scripts.text_follower import TextFollower
from app.scripts.unsaved_scripts import UnsavedScripts
from app.settings import Settings
from randomizer.catalog.scripts import script_host
from randomizer.languages.language import PLAIN_TEXT, Language, SourceText
from randomizer.model.basics.plurals import with_article
from randomizer.model.problems import Fix, ProblemError


class ShownScript(QObject):
    """The document of the current map's script (``current``), and the services that follow it.

    All signals are about the current document.
    """

    shown = Signal()
    """Another document is current."""

    new_shown = Signal()
    """A script that ``NewScripts.open_new`` has made is current: its text should be shown."""

    text_edited = Signal()
    """The text has changed."""

    unsaved_changed = Signal(bool)
    """The text has unsaved edits now (True), or none any more (False)."""

    script_changed = Signal()
    """Another document is current, or the file of the current one was saved or read again."""

    message = Signal(str)
    """A message to show in passing."""

    def __init__(
        self,
        document: MapDocument,
        rolling: Rolling,
        settings: Settings,
        window: QWidget | None = None,
    ) -> None:
        """``window`` is the parent of dialogs."""
        super().__init__(window)
        self._document = document
        self.documents = ShownDocuments(document, self)
        """The documents that open maps show, and the current one, about which services ask."""
        documents = self.documents
        self.editor_link = EditorLink(self)
        """Tells editors of the text what to show."""
        self.files = ScriptFiles(document, documents, settings, self, window)
        """Reads and saves the files of scripts."""
        self.checker = ScriptChecker(self._to_check, self)
        """Finds the problems of the text."""
        self.follower = TextFollower(documents, rolling, self.checker, settings, self)
        """Rolls the map again while the text is typed."""
        self.outdated_map = OutdatedMap(documents, rolling, self.follower, self)
        """Tells that the map is not that of the text any more."""
        self.settings = ScriptSettings(document, documents, self.follower, self)
        """The settings with which the map is rolled."""
        self.project_texts = ProjectTexts(document, documents.of_map)
        """The texts of scripts that the saved projects of maps hold."""
        self.unsaved = UnsavedScripts(
            document, rolling, self.files, self.follower, self.project_texts, documents.of_map
        )
        """Asks about edits that would be lost."""
        self.file_changes = FileChanges(documents, self.follower, self)
        """Reads the file again, or offers that, when another program has changed it."""
        self.setups = ScriptSetups(documents, self.settings, self.follower)
        """Makes the setups of rolls."""
        self.map_script = MapScript(document, rolling, documents, self.setups, self)
        """The script that the map itself holds, if maps of its system do."""
        self.map_text = MapText(document, documents, self.map_script, self.file_changes, self)
        """Keeps such a text equal in the editor and in the map."""

        # Edits: the text is checked, and the map follows what is saved.
        connect(self.text_edited, self.checker.text_changed)
        connect(self.files.saved, self.follower.follow_saved)
        connect(self.map_text.origin_followed, self.script_changed)
        connect(self.settings.message, self.message)
        connect(self.files.message, self.message)
        connect(self.follower.message, self.message)
        connect(self.outdated_map.message, self.message)
        connect(self.file_changes.message, self.message)
        self._follow(documents.current)

    # --- the current document ---------------------------------------------------------------

    @property
    def current(self) -> ScriptDocument:
        """The document that the current map shows."""
        return self.documents.current

    @property
    def script(self) -> Script:
        """The current script, as it was opened or saved."""
        return self.current.script

    @property
    def text(self) -> ScriptText:
        """The text of the current script as it is now."""
        return self.current.text

    @property
    def further_texts(self) -> Mapping[str, str]:
        """The further files of the script shown, by name."""
        if self.current.in_map:
            return self.map_script.texts
        return self.script.texts

    @property
    def source(self) -> SourceText:
        """The current script with its text as it is now, which is "" for a built-in one."""
        script = self.script
        return SourceText(self.text.text(), script.name, self.further_texts, script.place)

    def _to_check(self) -> SourceText | str:
        """Return the source that the checker checks, or a message why there is nothing to check."""
        if self.script.built_in:
            return f"{self.script.name} has no text."
        return self.source

    def language(self) -> Language:
        """Return the language of the script; one that knows nothing if no system has its suffix."""
        try:
            return script_host(self.script.name, None, self.script.text).language
        except ProblemError:
            return PLAIN_TEXT

    def apply_fix(self, fix: Fix) -> None:
        """Make the edits of a fix in the text: one step of undo, of the map if that holds it."""
        if not self.current.in_map:
            self.text.apply_fix(fix)
            return
        self.map_script.commit()  # what was typed before is a step of its own
        self.text.apply_fix(fix)
        self.map_script.replace_text(self.text.text(), fix.title)

    # --- another document -------------------------------------------------------------------

    def show_script(self, script: Script) -> None:
        """Show a script as that of the current map.

        Edits of a file that another map shows stay.
        """
        document = self.documents.of_file(script.path)
        if document is None:
            document = self.new_document(script)
        elif document is self.current or not document.unsaved:
            document.show_reread(script)
        self.show_document(document, script.settings)

    def show_document(
        self, document: ScriptDocument, settings: Mapping[str, object] | None = None
    ) -> None:
        """Make a document the current one, as that of the current map, and tell all services.

        ``settings`` are shown with it. With None it has those that the map was shown with before,
        or the usual ones. Documents that no map shows any more are deleted.
        """
        current_map = self._document.current_map
        self.documents.current = document
        self.documents.show(current_map, document)

        # Its file: it is saved there, and watched for changes of other programs.
        self.files.note_file(document.script)
        self.file_changes.follow_or_offer()
        # Its settings, and the problems of its text.
        if settings is None:
            settings = self.settings.values_of(current_map, document.script.settings)
        self.settings.set(settings)
        self.checker.text_changed(at_once=True)

        self.documents.delete_unused()
        self.shown.emit()
        self.script_changed.emit()

    def new_document(self, script: Script, *, in_map: bool = False) -> ScriptDocument:
        """Return a new document of a script, to be shown by ``show_document``.

        ``in_map``: the current map holds its text.
        """
        document = self.documents.new(script, in_map=in_map)
        self._follow(document)
        return document

    # --- what happens to the current document -----------------------------------------------

    def _follow(self, document: ScriptDocument) -> None:
        """Listen to the signals of a document whenever it is the current one."""
        for signal, listener in (
            (document.text.edited, self._on_edited),
            (document.text.typed, self._on_typed),
            (document.text.modificationChanged, self.unsaved_changed.emit),
            (document.watch.changed, self.file_changes.follow_or_offer),
            (document.watch.failed, self.file_changes.report_unreadable),
            (document.source_changed, self._on_source_changed),
        ):
            connect(signal, partial(self._call_if_current, document, listener))

    def _call_if_current(
        self, document: ScriptDocument, listener: Callable[..., object], *args: object
    ) -> None:
        """Call ``listener`` with what a signal of a document carried, if that one is current."""
        if document is self.current:
            listener(*args)

    def _on_edited(self) -> None:
        """Put an edited text into the map that holds it, and tell of the edit."""
        self.map_text.put_edited_text()
        self.text_edited.emit()

    def _on_typed(self) -> None:
        """Let the roll follow what was typed."""
        if not self.current.in_map:  # else ``MapScript`` rolls the text with which it comes
            self.follower.follow_typed_text()

    def _on_source_changed(self) -> None:
        """Follow a script that was saved in another file, or read again from its file."""
        self.files.note_file(self.script)
        self.file_changes.follow_or_offer()
        if self.current.in_map:
            self.map_text.note_saved_file()
        self.checker.text_changed(at_once=True)
        self.script_changed.emit()

    # --- script and map -----------------------------------------------------------------------

    def settings_of_map(self) -> Mapping[str, object]:
        """Return the settings of rolls that the current map itself stores, by name."""
        battlemap = self._document.battlemap
        return battlemap.system.roll_settings_of(battlemap)

    @property
    def fits_map(self) -> bool:
        """True if the script shown makes maps of the current map's system.

        True also for one of which no system has the suffix: a roll of it says what is wrong.
        """
        generator = self.current.generator
        return generator is None or generator.system is self._document.battlemap.system

    def why_not(self) -> str:
        """Return why the script shown cannot roll the current map, as a sentence; "" if it can."""
        if not self.script.built_in and not self.text.text().strip():
            return "There is no script."
        generator = self.current.generator
        if self.fits_map or generator is None:
            return ""
        rolled_kind = with_article(generator.system.title)
        map_kind = with_article(self._document.battlemap.system.title)
        return f"{self.script.name} makes {rolled_kind}; this is {map_kind}."
