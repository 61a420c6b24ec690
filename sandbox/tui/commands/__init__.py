"""What keys do, a hand an area: the action `time.pause` is `pause` in `time.py`, or stands in its `ACTIONS`."""
