"""The properties of a battleland: title, subtitle, tower flag and start list."""

from __future__ import annotations

from randomizer.model.system.property import flag_property, names_property, text_property

TITLE = text_property("title", "Title", "The battleland's title: the terrain name inside its file")
SUBTITLE = text_property(
    "subtitle", "Subtitle", "The line below the title in the game; may be empty"
)
TOWER = flag_property(
    "tower", "&Tower", "This terrain is a tower: the game's Tower rules hold on this battleland"
)
START_LIST = names_property("startlist", "&Start list", "Where the defender stands at the start")
PROPERTIES = (TITLE, SUBTITLE, TOWER, START_LIST)
