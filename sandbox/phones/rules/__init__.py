"""The ten rules that tie street and feed, a module each; their numbers and words stand in `phones.yaml`."""
