"""The desk of Battlelands Builder: the Qt program around the core in ``randomizer``.

PySide reads the source of each module that is imported after it. What the first picture needs of
numpy and of the core is therefore imported here, before any module of the desk imports Qt.
"""

import os

# Numpy reads this when it is imported. The matrices of a picture are small (a block of pixels by
# its tiles): several threads wait for one another at each, which takes ten times as long.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy  # noqa: F401 - imported before Qt

import randomizer.games
import randomizer.geometry.neighbourhoods
import randomizer.installed
import randomizer.model.edits.stack_edits
import randomizer.model.grid.cells_in_box
import randomizer.model.map.carriers
import randomizer.model.map.kinds_on_map
import randomizer.model.map.regions
import randomizer.model.map.things_at
import randomizer.model.notes
import randomizer.model.players_view
import randomizer.model.rolls.draw_key
import randomizer.model.settings.setting
import randomizer.reading.files
import randomizer.storage.disk.backups
import randomizer.storage.disk.regular_files
import randomizer.systems.colossus.system  # noqa: F401
