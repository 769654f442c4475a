"""The panel of fairness: measures of the current map, among those of its script."""
