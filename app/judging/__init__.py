"""Odds, gallery and fairness on the desk."""
