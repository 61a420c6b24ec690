"""Light by time of day: a tint in 48 steps a day, plus lamps, lit windows and warm lit rooms."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

STEPS = 48  # tint steps a day
FINE, COARSE = 0xFC, 0xF8  # masks of a colour part; COARSE under lamps, whose light makes too many styles
DAY_SECONDS = 86_400
Packed: TypeAlias = npt.NDArray[np.uint32]  # 0xRRGGBB
Floats: TypeAlias = npt.NDArray[np.float32]

# hour; factors on red, green and blue; strength of lamps (0..1)
_HOURS = np.array(
    [
        (0.0, 0.30, 0.37, 0.56, 1.0),
        (5.0, 0.32, 0.39, 0.58, 1.0),
        (6.2, 0.66, 0.60, 0.66, 0.7),
        (7.2, 0.98, 0.87, 0.76, 0.2),
        (8.4, 1.00, 0.98, 0.95, 0.0),
        (12.0, 1.00, 1.00, 1.00, 0.0),
        (16.5, 1.00, 0.98, 0.94, 0.0),
        (18.3, 1.00, 0.82, 0.66, 0.25),
        (19.3, 0.78, 0.65, 0.62, 0.7),
        (20.5, 0.42, 0.44, 0.60, 1.0),
        (22.0, 0.31, 0.38, 0.57, 1.0),
        (24.0, 0.30, 0.37, 0.56, 1.0),
    ],
    np.float32,
)
NIGHT_AIR = np.array([2, 5, 14], np.float32)  # added when lamps are on: night is blue, never black
PALE = 0.35  # share of its colour that a thing loses in the dark
ROOM = np.array([1.0, 0.88, 0.70], np.float32)  # lamp light on floors and walls
WARM = np.array([0.95, 0.66, 0.34], np.float32)  # what a lamp adds to the ground about it


class Light(NamedTuple):
    """Light at one time. multiply: red, green, blue factors (0..1); lamp: strength of lamps and windows (0..1)."""

    multiply: Floats
    lamp: float


def tint_step(second_of_day: int) -> int:
    """The tint step (0..47) of a second of the day."""
    return second_of_day % DAY_SECONDS * STEPS // DAY_SECONDS


def light_at(step: int) -> Light:
    """The light in the middle of a step."""
    hour = (step % STEPS + 0.5) * 24 / STEPS
    parts = [float(np.interp(hour, _HOURS[:, 0], _HOURS[:, i])) for i in range(1, 5)]
    return Light(np.array(parts[:3], np.float32), parts[3])


def shine(albedo: Floats, light: Light, room: Floats | None, glow: Floats) -> Floats:
    """Colours (h, w, 3; 0..255) under a light.

    room: 0..1, how much lamp light a pixel inside a lit house gets. glow: 0..1, how near a lamp is.
    """
    if light.lamp <= 0.01:
        return albedo * light.multiply
    strength: npt.NDArray[np.float32] = np.broadcast_to(light.multiply, albedo.shape)
    if room is not None:
        strength = light.multiply + (ROOM - light.multiply) * (room * light.lamp)[..., None]
    lit: Floats = strength + (glow * light.lamp)[..., None] * WARM
    fade = np.float32(PALE * light.lamp) * (1 - (glow if room is None else np.maximum(room, glow)))
    grey = albedo.mean(axis=-1) * fade
    out: Floats = (albedo * (1 - fade)[..., None] + grey[..., None]) * lit + NIGHT_AIR * light.lamp
    return out


def pack_colours(colours: Floats, kept: int = FINE) -> Packed:
    """Colours (last axis of three, 0..255) as integers; drops the lowest two bits of each part, three for COARSE."""
    parts = np.clip(colours, 0, 255).astype(np.uint32) & np.uint32(kept)
    out: Packed = (parts[..., 0] << np.uint32(16)) | (parts[..., 1] << np.uint32(8)) | parts[..., 2]
    return out


def unpack_colours(colours: Packed) -> Floats:
    """Integers as colours with a last axis of three."""
    return np.stack([colours >> 16, colours >> 8 & 255, colours & 255], axis=-1).astype(np.float32)


def shade_colours(colours: Packed, factor: float) -> Packed:
    """Packed colours made darker (factor below 1) or lighter."""
    return pack_colours(unpack_colours(colours) * np.float32(factor))


@cache
def glow_patch(size: int, reach: float) -> Floats:
    """A round glow in a square of size x size pixels, 1 in the middle, 0 from `reach` pixels on; in 12 levels."""
    y, x = np.mgrid[0:size, 0:size].astype(np.float32)
    far = np.hypot(y - size // 2, x - size // 2)
    out = np.clip(1 - far / reach, 0, 1) ** 1.5
    levels: Floats = (np.round(out * 12) / 12).astype(np.float32)
    return levels
