"""Benchmarks for whoever changes the program: `python -m benchmarks` measures it against targets (`make bench`)."""
