"""The chat pipeline: the one place that knows in which order a turn is done."""
