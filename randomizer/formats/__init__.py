"""The file formats of maps: their base class, and checked reading and writing."""
