"""What overlays are called, in menus, dialogs and on the command line."""

OVERLAYS: dict[str, tuple[str, str]] = {
    "labels": ("Hex &labels", "The name of every hex"),
    "names": ("Hazard &names", "The terrain of every hex in words"),
    "grid_lines": ("&Grid lines", "The outline of every hex"),
    "hexsides": ("&Hexsides", "What lies on the sides of hexes"),
    "elevation": ("&Elevation", "Terraces and the elevation of raised hexes as a number"),
    "shading": ("&Relief", "Light and shade, as if the sun stood in the north-west"),
    "passability": ("&Passability", "How much each hazard hinders those not native to it"),
    "start_list": ("&Start list", "Where the defender begins"),
    "locks": ("Loc&ks", "What re-rolls keep"),
    "things": ("Placed &things", "Units, trees and whatever else lies on the map"),
    "entry_sides": ("Entry s&ides", "The names of the rims of the board"),
    "seam": ("Sea&m", "Where a world that goes round is cut open"),
}
"""Title (with its letter for the keyboard) and meaning of every field of ``Overlays``."""
