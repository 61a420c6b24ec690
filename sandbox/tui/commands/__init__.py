"""What keys do, a module for each area: the action `time.pause` is declared in `ACTIONS` of `time.py`."""
