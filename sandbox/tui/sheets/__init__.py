"""What sheets show: a talk in full, why somebody feels so, the keys, settings, lists to choose from."""
