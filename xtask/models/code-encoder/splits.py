"""What a pair is for: training, measuring code, or measuring English."""

TRAIN, CODE, PLAIN = range(3)

MANUALS = ("english", "section", "prose")
"""Kinds of pairs whose questions are sentences of manuals."""
