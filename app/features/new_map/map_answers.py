"""What the user has answered about new maps of one kind, while a form asks about one script.

Of each setting there are up to four values:

    default         what the setting itself says
    usual value     what the form shows at first: the default, unless the kind of map or the script
                    has another one for it
    answer          what the user has chosen in place of the usual value; it is carried from script
                    to script, and to the next new map of the same kind
    set by script   what the script itself says, such as its first terrain: the form shows it. Such
                    a setting never has an answer, whatever the user chooses there

The life of the answers::

    answers = MapAnswers(stored_answers)                                       # of the last map
    answers = answers.for_script(usual_values, set_by_script)                  # the first script
    form.show(answers.values_to_show(settings))
    answers.note(form.values())                                                # the user has chosen
    answers = answers.for_script(other_usual_values, other_set_by_script)      # another script
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from randomizer.model.settings.setting import Setting, fitting_settings

NO_VALUES: Mapping[str, object] = {}
"""The values before a script is asked about."""


class MapAnswers:
    """The answers about one kind of map, by the names of settings.

    ``answers`` are those of the last map of the kind, or of the script before; ``usual_values`` and
    ``set_by_script`` are as in the docstring of the module.
    """

    def __init__(
        self,
        answers: Mapping[str, object],
        usual_values: Mapping[str, object] = NO_VALUES,
        set_by_script: Mapping[str, object] = NO_VALUES,
    ) -> None:
        self._answers = dict(answers)
        self._usual_values = usual_values
        self._set_by_script = set_by_script

    def for_script(
        self, usual_values: Mapping[str, object], set_by_script: Mapping[str, object]
    ) -> MapAnswers:
        """Return the same answers to be used for another script."""
        return MapAnswers(self._answers, usual_values, set_by_script)

    def values_to_show(self, settings: Iterable[Setting]) -> dict[str, object]:
        """Return the values that a form of ``settings`` shows at first.

        An answer that does not fit its setting, such as a size that is too large for this script,
        is left out, and so is one about a setting that the script itself sets.
        """
        answers = {}
        for name, answer in self._answers.items():
            if name not in self._set_by_script:
                answers[name] = answer
        return {**self._usual_values, **fitting_settings(settings, answers)}

    @property
    def usual_values(self) -> Mapping[str, object]:
        """The values of a form in which nobody has chosen anything."""
        return self._usual_values

    def note(self, shown_values: Mapping[str, object]) -> None:
        """Note what a form shows now: what differs from the usual values is an answer.

        Settings without a usual value for this script keep their answers: the form has none of
        them.
        ``shown_values`` have no value for a setting that is unset. That is no answer, and an
        earlier answer is forgotten.
        """
        for name, usual_value in self._usual_values.items():
            if name in self._set_by_script:
                continue
            if name not in shown_values or shown_values[name] == usual_value:
                self._answers.pop(name, None)
            else:
                self._answers[name] = shown_values[name]

    def forget(self) -> None:
        """Forget all answers."""
        self._answers.clear()

    def to_store(self) -> dict[str, object]:
        """Return the answers for the next new map of the kind, by the names of settings."""
        return dict(self._answers)
