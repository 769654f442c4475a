"""The script that the current map shows, with the services about its text, settings and file.

``ShownScript`` is what the script panel is a view of. Which script each open map shows is decided
above it: by ``Scripts`` for maps that become current, by ``ScriptOpening`` for scripts that are
opened, and by ``LayerScripts`` for layers that become active. All of them call ``show_script`` or
``show_document``. ``ScriptProvider`` gives the shown script to ``Rolling``.

Where a system keeps the script in its maps, the section "a script that its map holds" tells what is
different.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.document.document import MapDocument
from app.qt_guard import connect, later
from app.rolling.rolling import Rolling
from app.scripts.editor_link import EditorLink
from app.scripts.file_changes import FileChanges
from app.scripts.map_script import MapScript
from app.scripts.project_texts import ProjectTexts
from app.scripts.script import (
    NO_SCRIPT,
    Script,
    with_lf,
)
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

    Of a system with a ``script_record`` the map itself holds the text: its document shows it, and
    what is typed goes there (``map_script``).

    All signals are about the current document.
    """

    shown = Signal()
    """Another document is current."""

    new_shown = Signal()
    """A script that ``ScriptOpening.open_new`` has made is current: its text should be shown."""

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
        self._rolling = rolling
        self.editor_link = EditorLink(self)
        """Tells editors of the text what to show."""
        self.documents = ShownDocuments(document, self)
        """The documents that open maps show, and the current one."""

        # The services ask for the current document when they need it (``_current_document``): it
        # is another one with each map. None asks before the first one is made below.
        self.files = ScriptFiles(
            self._current_document,
            self.documents,
            self._is_map_modified,
            settings,
            self,
            window,
        )
        """Reads and saves the files of scripts."""
        self.checker = ScriptChecker(self._to_check, self)
        """Finds the problems of the text."""
        self.follower = TextFollower(self._current_document, rolling, self.checker, settings, self)
        """Rolls the map again while the text is typed."""
        self.settings = ScriptSettings(document, self._current_document, self.follower, self)
        """The settings with which the map is rolled."""
        self.project_texts = ProjectTexts(document, self.documents.of_map)
        """The texts of scripts that the saved projects of maps hold."""
        self.unsaved = UnsavedScripts(
            document,
            rolling,
            self.files,
            self.follower,
            self.project_texts,
            self.documents.of_map,
        )
        """Asks about edits that would be lost."""
        self.file_changes = FileChanges(self._current_document, self.follower, self)
        """Reads the file again, or offers that, when another program has changed it."""
        self.current = self.new_document(NO_SCRIPT)
        """The document that the current map shows."""
        self.setups = ScriptSetups(self._current_document, self.settings, self.follower)
        """Makes the setups of rolls."""
        self.map_script = MapScript(
            document, rolling, self.setups.of_shown, self._script_name, self
        )
        """The script that the map itself holds, if maps of its system do."""
        self._connect_services()

    def _connect_services(self) -> None:
        """Pass on the signals of the services of scripts, and let them follow the text."""
        connect(self.text_edited, self.checker.text_changed)
        connect(self.settings.message, self.message)
        connect(self.files.message, self.message)
        connect(self.files.saved, self.follower.follow_saved)
        connect(self.follower.message, self.message)
        connect(self.file_changes.message, self.message)
        connect(self.map_script.changed, self._follow_record)

    def _current_document(self) -> ScriptDocument:
        return self.current

    def _script_name(self) -> str:
        return self.script.name

    def _is_map_modified(self) -> bool:
        return self._document.modified

    # --- which script -----------------------------------------------------------------------

    @property
    def script(self) -> Script:
        """The current script, as it was opened or saved."""
        return self.current.script

    @property
    def text(self) -> ScriptText:
        """The text of the current script as it is now."""
        return self.current.text

    # --- the documents ----------------------------------------------------------------------

    def new_document(self, script: Script, *, in_map: bool = False) -> ScriptDocument:
        """Return a document of a script whose signals are passed on while it is the current one.

        ``in_map``: the current map holds its text.
        """
        document = ScriptDocument(script, self.files.known_files, self, in_map=in_map)
        self.documents.add(document)
        for signal, listener in (
            (document.text.edited, self._on_edited),
            (document.text.typed, self._on_typed),
            (document.text.modificationChanged, self.unsaved_changed.emit),
            (document.watch.changed, self.file_changes.follow_or_offer),
            (document.watch.failed, self.file_changes.report_unreadable),
            (document.source_changed, self._on_source_changed),
        ):
            connect(signal, partial(self._tell_of_current, document, listener))
        return document

    def _tell_of_current(
        self, document: ScriptDocument, listener: Callable[..., object], *args: object
    ) -> None:
        """Call ``listener`` with what a signal of a document carried, if that one is current."""
        if document is self.current:
            listener(*args)

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
        self.current = document
        self.documents.show(current_map, document)

        # Its file: it is saved there, and watched for changes of other programs.
        self.files.note_file(document.script)
        self.file_changes.follow_or_offer()
        # Its settings, and the problems of its text.
        if settings is None:
            settings = self.settings.values_of(current_map, document.script.settings)
        self.settings.set(settings)
        self.checker.text_changed(at_once=True)

        self.documents.delete_unused(document)
        self.shown.emit()
        self.script_changed.emit()

    def settings_of_map(self) -> Mapping[str, object]:
        """Return the settings, by name, that the current map has, whatever its script's are."""
        battlemap = self._document.battlemap
        return battlemap.system.roll_settings_of(battlemap)

    # --- a script that its map holds --------------------------------------------------------

    def text_of_map(self, script: Script) -> str:
        """Return the text that the current map holds; that of ``script`` if it holds none."""
        text = self.map_script.text
        if text is None:
            return script.text
        return with_lf(text)

    # Such a text goes both ways: from the editor into the map (``_put_into_map``), and from the map
    # into the editor when undo, a panel or a file has changed it (``_follow_record``). Neither way
    # answers the other: while a text is on its way into the map (``pending``) the map is not
    # followed, and a text that the map holds already is not put there.

    def _put_into_map(self, text: str) -> None:
        """Put an edited text into the map that holds it."""
        is_in_map_already = text == self.text_of_map(self.script)
        if self.map_script.pending or not is_in_map_already:
            self.map_script.type_text(text)

    def _follow_record(self) -> None:
        """Show the text that the map holds now."""
        if self.current.in_map and not self.map_script.pending:
            self.text.replace(self.text_of_map(self.script))
            later(self, self.follow_origin)  # undo steps are counted when they are done

    def follow_origin(self) -> None:
        """Note from which file the text in a map comes now, its *origin*.

        Undo changes that, too.
        """
        document = self.current
        if not document.in_map or self.map_script.pending:
            return
        origin = document.origin(self._document.history)
        if origin is not document.script:
            document.set_script(origin)
            self.file_changes.follow_or_offer()
        self.script_changed.emit()  # also for another text of the same file

    # --- what happens to the current document -----------------------------------------------

    def _on_edited(self) -> None:
        """Put an edited text into the map that holds it, and tell of the edit."""
        if self.current.in_map:
            self._put_into_map(self.text.text())
        self.text_edited.emit()

    def _on_typed(self) -> None:
        """Let the roll follow what was typed."""
        if not self.current.in_map:  # the map follows a text that it holds by itself
            self.follower.follow_typed_text()

    def _on_source_changed(self) -> None:
        """Follow a script that was saved in another file, or read again from its file."""
        self.files.note_file(self.script)
        self.file_changes.follow_or_offer()
        if self.current.in_map:
            script = self.script
            self._name_file_of_map_script(script)
            # A step has perhaps brought the script back that the text came from before.
            self.current.note_origin(self._document.history, script)
            self.follow_origin()
        self.checker.text_changed(at_once=True)
        self.script_changed.emit()

    def _name_file_of_map_script(self, script: Script) -> None:
        """Let the map know in which file its script was saved: files of the map can name it."""
        if script.path is not None:
            battlemap = self._document.battlemap
            edit = battlemap.system.name_script_file(battlemap, script.path.name)
            self._document.push(edit, f"Save {script.path.name}")

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

    # --- the language -----------------------------------------------------------------------

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

    # --- script and map -----------------------------------------------------------------------

    @property
    def further_texts(self) -> Mapping[str, str]:
        """The further files of the script shown, by name."""
        if self.current.in_map:
            return self.map_script.texts
        return self.script.texts

    def why_not(self) -> str:
        """Return why the script shown cannot roll the current map, in words; "" if it can."""
        has_text = self.script.built_in or self.text.text().strip()
        if has_text:
            return self.why_other_map()
        return "There is no script."

    @property
    def fits_map(self) -> bool:
        """True if the script shown is one for the current map."""
        return self.why_other_map() == ""

    def why_other_map(self) -> str:
        """Return why the script shown is not one for the current map, in words; "" if it is."""
        generator = self.current.generator
        if generator is None:
            return ""  # the roll says what is wrong
        script_system = generator.system
        map_system = self._document.battlemap.system
        if script_system is map_system:
            return ""
        rolled_kind = with_article(script_system.title)
        map_kind = with_article(map_system.title)
        return f"{self.script.name} makes {rolled_kind}; this is {map_kind}."
