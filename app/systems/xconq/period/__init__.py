"""The panel of a period: percentile chart, inspector, forms of its types."""
