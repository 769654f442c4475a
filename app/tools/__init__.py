"""The tools of the canvas: a pointer goes in, an edit comes out.

A new tool is a class and its line in ``TOOLS``.
"""

from app.tools.areas import FillTool, LineTool, RectangleTool
from app.tools.brushes import RandomTool, TerrainTool
from app.tools.edges import EdgesTool
from app.tools.elevation_brush import ElevationTool
from app.tools.eraser import EraserTool
from app.tools.heights import HeightTool
from app.tools.hexsides import HexsideTool
from app.tools.marking import CellListTool, LockTool, cell_list_edit
from app.tools.measuring import MeasureTool
from app.tools.moving import MoveTool
from app.tools.options import ToolOptions
from app.tools.picking import CentreTool, EyedropperTool, PanTool
from app.tools.picture import PictureTool
from app.tools.pointer import CellSide, Pointer, means_edge, side_index, sides_can_be_aimed_at
from app.tools.preview import Preview
from app.tools.regions import RegionTool
from app.tools.routes import RouteTool
from app.tools.selecting import LassoTool, SameTerrainTool, SelectRectangleTool, WandTool
from app.tools.slope import SlopeTool
from app.tools.stamping import StampTool
from app.tools.things import ThingsTool
from app.tools.tool import Tool

__all__ = [
    "TOOLS",
    "CellSide",
    "EyedropperTool",
    "Pointer",
    "Preview",
    "StampTool",
    "TerrainTool",
    "ThingsTool",
    "Tool",
    "ToolOptions",
    "cell_list_edit",
    "means_edge",
    "side_index",
    "sides_can_be_aimed_at",
]

TOOLS: tuple[type[Tool], ...] = (
    TerrainTool,
    EdgesTool,
    RandomTool,
    FillTool,
    LineTool,
    RectangleTool,
    ElevationTool,
    HeightTool,
    SlopeTool,
    HexsideTool,
    RouteTool,
    RegionTool,
    StampTool,
    ThingsTool,
    SelectRectangleTool,
    LassoTool,
    WandTool,
    SameTerrainTool,
    MoveTool,
    CellListTool,
    LockTool,
    EraserTool,
    EyedropperTool,
    MeasureTool,
    CentreTool,
    PictureTool,
    PanTool,
)
"""Every tool of the tool bar, in its order."""
