"""The panel of fairness: measures of the map in front, among those of its script."""
