"""What keys do, a hand an area: the action `time.pause` is `Time.pause` in `time.py`."""
