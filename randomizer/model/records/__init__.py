"""Records of a map: named JSON or texts beside its layers, and its assets."""
