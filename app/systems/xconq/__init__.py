"""What Xconq adds to the desk: the percentile chart and the inspector of a period.

Only the list of features may call it.
"""
