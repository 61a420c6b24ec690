"""Playing a person: the player decides what they do and say, within the rules that hold for everybody."""
