"""Rivers, roads and railways through cells, as pieces of the scene; the scene and styles use them.

A style may lay its routes in its own way (``Style.routes``), with the lines of this room.
"""
