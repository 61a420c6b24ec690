"""Numbers of others to stand beside ours, with their sources."""

from __future__ import annotations

PAPER = "Sentipolis (seed 004), table 2: mean over 3 runs, final snapshot"
# model -> r, r_w, Q_T, NMI, Drift_w
TABLE_2: dict[str, tuple[float, float, float, float, float]] = {
    "GPT-5.2": (0.456, 0.878, 0.229, 0.752, 0.381),
    "GPT-4o-mini": (0.448, 0.881, 0.235, 0.790, 0.414),
    "Qwen3-235B": (0.438, 0.891, 0.219, 0.842, 0.413),
    "Kimi-K2-0905": (0.439, 0.889, 0.226, 0.841, 0.450),
    "Grok-4-Fast": (0.427, 0.891, 0.215, 0.794, 0.484),
    "MiMo-v2-Flash": (0.414, 0.893, 0.214, 0.797, 0.577),
}

FRIENDS = "18 friendship networks of 15 to 50 people, median and quartiles (spec/facts.md)"
# metric -> median, first and third quartile
FRIENDSHIP: dict[str, tuple[float, float, float]] = {
    "density": (0.137, 0.068, 0.225),
    "clustering": (0.400, 0.288, 0.481),
    "largest_component": (1.0, 0.754, 1.0),
    "path_length": (2.58, 2.09, 3.07),
    "plain_modularity": (0.433, 0.280, 0.540),
}
KARATE = {
    "density": 0.139,
    "clustering": 0.571,
    "largest_component": 1.0,
    "path_length": 2.408,
    "plain_modularity": 0.420,
}
