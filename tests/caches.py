"""The table of all caches of the program, with the most that each can take (ADR 9).

A cache counts results, characters of texts or bytes. Its number of results is read from the
function; the table says how large one is at most. Those that are shared with what is shown anyway
(the pictures of the terrain set of the current map, the composite of an open map) are none.
"""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple

KB = 1 << 10
MB = 1 << 20

MOST = 297 * MB
"""What all caches of a session can take together.

96 MB are tiles of what is seen from afar, 34 MB the index of the zip of an installed 0 A.D.
"""


class Results(NamedTuple):
    """``lru_cache``: so many bytes a result."""

    each: float


class Finite(NamedTuple):
    """``cache`` without a bound of its own: the arguments there are, and bytes a result."""

    count: int
    each: float


class Sized(NamedTuple):
    """``sized_cache``: bytes of a result for each unit of its size (a character, a byte)."""

    factor: float


class Bytes(NamedTuple):
    """A constant of the module says the bytes; there are so many such caches."""

    count: int = 1


Bound = Results | Finite | Sized | Bytes

PERIOD = 500 * KB
"""A period as read: 260 KB for Modern, 340 for Fantasy, more for longer texts."""

CACHES: dict[str, Bound] = {
    # Pictures and shapes
    "randomizer.model.fixtures._read": Finite(2, 200 * KB),
    "randomizer.storage.journal.journal_log._word_weights": Finite(8, 20 * KB),
    "randomizer.storage.journal.journal_log._weights": Finite(8, 40 * KB),
    "randomizer.model.map_picture._read": Results(2 * KB),
    "app.appearance.icons._source": Finite(80, 2 * KB),
    "app.commands.layout._paths": Finite(1, 60 * KB),
    "app.render.pictures.ground_phase.phases": Finite(6, 4 * KB),
    "app.render.cell_values.heat.heat_colours": Finite(1, 2 * KB),
    "app.render.pictures.terrain_pictures._mean_colours": Finite(1, 20 * KB),
    "app.render.pictures.terrain_pictures._drawn": Finite(1, 20 * KB),
    "app.render.pictures.terrain_pictures.picture": Results(210 * KB),
    "app.render.raster.stored_sprites._program": Finite(1, 40 * KB),
    "app.render.scene.edges.contours.contour": Results(2 * KB),
    "app.render.scene.landscape.edge_masks._corner": Results(3 * KB),
    "app.render.scene.landscape.edge_masks._lines": Finite(1, 300 * KB),
    "app.render.scene.landscape.edge_masks._run": Results(4 * KB),
    "app.render.scene.landscape.edge_masks._smooth": Finite(200, 1.1 * KB),
    "app.render.scene.landscape.edge_masks.region": Results(2 * KB),
    "app.render.scene.edges.hexside_shapes._jitter": Results(2 * KB),
    "app.render.scene.edges.hexside_shapes.tone": Results(500),
    "app.render.scene.edges.steps._swept_by": Results(500),
    "app.render.scene.landscape.transitions.priorities": Results(150 * KB),
    "app.render.scene.icons.text_width": Results(300),
    "app.render.scene.landscape.features.spans_of": Finite(6, 100 * KB),
    "app.render.scene.things.names._half_extent": Results(400),
    "app.render.scene.things.names._metrics": Results(2 * KB),
    "app.render.scene.things.pictograms.icon": Finite(80, 8 * KB),
    "app.render.scene.things.pictograms.symbols": Finite(1, 20 * KB),
    "app.render.scene.routes.rounded_areas.area_part": Results(3 * KB),
    "app.render.scene.routes.rivers.reaches": Results(3 * KB),
    "app.render.scene.routes.route_lines.lines": Results(3 * KB),
    "app.render.style._loaded": Results(KB),
    "app.render.theme.theme": Finite(20, 10 * KB),
    "app.render.thumbnails.thumbnail_queue._wide_atlas": Results(MB),
    "app.render.raster.near.MOST_BYTES": Bytes(),
    "app.render.raster.near.KEPT_IMAGE_BYTES": Bytes(),
    "app.render.raster.far_tiles.MOST_BYTES": Bytes(),
    "app.render.raster.overlay_painter.TEXT_BYTES": Bytes(),
    "app.render.raster.overlay_painter.ICON_BYTES": Bytes(),
    "app.render.thumbnails.thumbnail_queue.KEPT_BYTES": Bytes(),
    "app.render.thumbnails.thumbnail_queue.ROLLS_BYTES": Bytes(),
    "app.features.gallery.finished_searches.MOST_BYTES": Bytes(),
    # Models, files and packages
    "randomizer.batches.counts.counts": Results(200 * KB),
    "randomizer.model.map.regions._table": Results(250 * KB),
    "randomizer.catalog.catalog._packaged": Finite(4, 200 * KB),
    "randomizer.geometry.shapes._disc_offsets": Results(230 * KB),
    "randomizer.installed.installed": Finite(12, KB),
    "randomizer.installed.packages": Finite(1, 10 * KB),
    "randomizer.model.terrain.terrain_check.check_terrain_set": Results(
        5 * MB
    ),  # of 16,000 terrains
    "randomizer.model.gate.plane_values._route_values": Results(500),
    "randomizer.model.planes.routes.crossings_of_ways": Results(6 * KB),
    "randomizer.model.planes.routes.routes_of_ways": Results(3 * KB),
    "randomizer.processes.pool.roll_pool": Finite(1, 20 * KB),
    "randomizer.storage.records.deflated_parts.MOST_BYTES": Bytes(),
    "randomizer.storage.records.codec._parts_of": Finite(200, KB),
    "randomizer.storage.records.codec._required": Finite(100, KB),
    "randomizer.storage.records.codec.kinds_of": Finite(100, 3 * KB),
    "randomizer.storage.records.npy._npy_header": Results(400),
    # Colossus
    "randomizer.systems.interchange.megamek.terrain_names": Finite(1, 10 * KB),
    "randomizer.systems.interchange.foreign.pictures": Finite(1, 30 * KB),
    "randomizer.systems.interchange.worldographer.symbols": Finite(1, 20 * KB),
    "randomizer.systems.colossus.battle.rule_tables._sights": Results(300 * KB),
    "randomizer.systems.colossus.fairness.mirror_battles._fight": Results(2 * KB),
    "randomizer.systems.colossus.fairness.mirror_battles._simulator": Results(110 * KB),
    "randomizer.systems.colossus.generator._compiled": Sized(24),
    "randomizer.systems.colossus.rolling.batch_lists.constant_list": Results(2 * KB),
    "randomizer.systems.colossus.rolling.batch_sides.side_rules": Results(50 * KB),
    "randomizer.systems.colossus.rolling.program._hexes_in": Results(300),
    "randomizer.systems.colossus.rolling.program.longest_list": Results(KB),
    "randomizer.systems.colossus.rolling.program.needed_steps": Results(50 * KB),
    "randomizer.systems.colossus.script.parser.grammar": Finite(1, 300 * KB),
    "randomizer.systems.colossus.script.shortest_list._parts": Finite(1, 200 * KB),
    "randomizer.systems.colossus.script.source.messages": Finite(1, 100 * KB),
    "randomizer.systems.colossus.script.source.source_of": Results(500 * KB),
    "randomizer.systems.free.packaged_sets.packaged_set": Finite(3, 20 * KB),
    # Cordery
    "randomizer.variations.generator.packaged": Finite(2, 2 * MB),  # each knows those of a seed
    "randomizer.tracing.appearance.points_of": Finite(5, 20 * KB),
    "randomizer.systems.cordery.table.route_costs.crosses": Results(190),
    # Xconq
    "randomizer.systems.xconq.advice.period_advice.period_advice": Results(30 * KB),
    "randomizer.systems.xconq.advice.terrain.expected_shares": Results(10 * KB),
    "randomizer.systems.xconq.period.colours._colours": Finite(1, 150 * KB),
    "randomizer.systems.xconq.map_period.modern_period": Results(PERIOD),
    "randomizer.systems.xconq.countries.naming.place_names": Finite(1, 60 * KB),
    "randomizer.systems.xconq.countries.naming.side_names": Finite(1, 20 * KB),
    "randomizer.systems.xconq.period.packaged_periods.packaged_metadata": Finite(1, 20 * KB),
    "randomizer.systems.xconq.period.packaged_periods.packaged_text": Finite(4, 40 * KB),
    "randomizer.systems.xconq.language.completions._above": Sized(30),
    "randomizer.systems.xconq.period.faults.messages": Finite(1, 100 * KB),
    "randomizer.systems.xconq.period.reading._cached": Sized(30),
    "randomizer.systems.xconq.period.words.words": Finite(1, 200 * KB),
    "randomizer.systems.xconq.period.words.words_of_shape": Finite(20, 2 * KB),
    "randomizer.systems.xconq.language.period_text._cached": Sized(45),
    "randomizer.systems.xconq.records._value_or_fault": Sized(10),
    "randomizer.systems.xconq.scenario.unit_rules.holds_of": Results(100 * KB),
    "randomizer.systems.xconq.terrain.terrain_meaning.all_meanings": Finite(1, 15 * KB),
    "randomizer.systems.xconq.terrain.terrain_meaning._by_word": Finite(1, 60 * KB),
    "randomizer.systems.xconq.terrain.terrain_meaning.meaning_of": Results(300),
    "randomizer.systems.xconq.terrain.terrain_set.terrain_set_of": Results(30 * KB),
    "randomizer.systems.xconq.units.unit_kinds._kinds": Results(60 * KB),
    "randomizer.systems.xconq.units.unit_kinds.kind_names": Results(
        PERIOD
    ),  # the period counts once
    "randomizer.systems.xconq.units.unit_kinds.kind_numbers": Results(10 * KB),
    "randomizer.systems.xconq.world.random_numbers._original_draws": Results(1.1 * MB),
    "randomizer.systems.xconq.world.random_numbers._original_sequence": Finite(1, 1.1 * MB),
    "randomizer.systems.xconq.world.random_numbers._state_array": Finite(1, 1.1 * MB),
    "randomizer.systems.xconq.world.relief.CACHE_BYTES": Bytes(),
    "randomizer.systems.xconq.terrain.world_terrain.limits_of": Results(10 * KB),
    # 0 A.D.
    "randomizer.systems.zeroad.map.entity_kinds._groups_of_folders": Finite(1, 5 * KB),
    "randomizer.systems.zeroad.map.entity_kinds._groups_of_starts": Finite(1, 5 * KB),
    "randomizer.systems.zeroad.map.entity_kinds.groups": Finite(1, 10 * KB),
    "randomizer.systems.zeroad.map.entity_kinds._kinds": Results(300 * KB),
    "randomizer.systems.zeroad.map.entity_kinds._signs": Finite(1, 20 * KB),
    "randomizer.systems.zeroad.map.record_fields.fields_of": Finite(2, 20 * KB),
    "randomizer.systems.zeroad.map.entity_kinds.group_of": Results(300),
    "randomizer.systems.zeroad.export.fixed_script._unpacking": Finite(1, 10 * KB),
    "randomizer.systems.zeroad.generators.packaged._metadata": Finite(4, 20 * KB),
    "randomizer.systems.zeroad.engine.global_scripts.with_var": Sized(2),
    "randomizer.systems.zeroad.engine.modules.parse_module": Sized(2.5),
    "randomizer.systems.zeroad.installation.game_data._game_data": Results(100 * KB),
    "randomizer.systems.zeroad.installation.game_names._known": Results(1.5 * MB),
    "randomizer.systems.zeroad.installation.mod_files._index": Sized(600),
    "randomizer.systems.zeroad.generators.map_builder.library_data": Finite(6, 100 * KB),
    "randomizer.systems.zeroad.map.records._parsed": Sized(12),
    "randomizer.systems.zeroad.generators.resources._data": Results(MB),
    "randomizer.systems.zeroad.generators.resources._known_amounts": Results(400),
    "randomizer.systems.zeroad.map.terrain_set._terrain_set": Results(100 * KB),
    "randomizer.systems.zeroad.map.texture_looks._ground_words": Finite(1, 30 * KB),
    "randomizer.systems.zeroad.map.texture_looks._tint_words": Finite(1, 10 * KB),
    "randomizer.systems.zeroad.map.texture_looks.look_of": Results(400),
}


def bound_of(name: str) -> float:
    """Return the most bytes that a cache of the table takes."""
    module, _, attribute = name.rpartition(".")
    cache = getattr(import_module(module), attribute)
    bound = CACHES[name]
    if isinstance(bound, Results):
        most = cache.cache_parameters()["maxsize"]
        assert most is not None, f"{name} has no bound of its own"
        return float(most * bound.each)
    if isinstance(bound, Sized):
        return float(cache.size * bound.factor)
    if isinstance(bound, Bytes):
        return float(cache * bound.count)
    return bound.count * bound.each
