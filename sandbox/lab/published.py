"""Published numbers and claims to compare ours with, with sources."""

from __future__ import annotations

from sandbox.lab.claims import PaperClaim, Sign

CITED = (
    "Chiyuan Fu, Lyuhao Chen, Yunze Xiao, Weihao Xuan, Carlos Busso and Mona Diab, *Sentipolis: Emotion-Aware Agents"
    " for Social Simulations* (Carnegie Mellon University, The University of Tokyo, RIKEN AIP)"
)
PAPERS = {"sentipolis": CITED}  # value of `beside:` -> citation

PAPER = "Sentipolis, table 2: mean over 3 runs, final snapshot"
# model -> r, r_w, Q_T, NMI, Drift_w
TABLE_2: dict[str, tuple[float, float, float, float, float]] = {
    "GPT-5.2": (0.456, 0.878, 0.229, 0.752, 0.381),
    "GPT-4o-mini": (0.448, 0.881, 0.235, 0.790, 0.414),
    "Qwen3-235B": (0.438, 0.891, 0.219, 0.842, 0.413),
    "Kimi-K2-0905": (0.439, 0.889, 0.226, 0.841, 0.450),
    "Grok-4-Fast": (0.427, 0.891, 0.215, 0.794, 0.484),
    "MiMo-v2-Flash": (0.414, 0.893, 0.214, 0.797, 0.577),
}

FRIENDS = "18 friendship networks of 15 to 50 people, median and quartiles"
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

SCORES = "Sentipolis, table 5: judge, model, scores without and with its emotion module"
# judge -> model -> criterion -> (baseline, theirs)
_CRITERIA = ("communication", "empathy", "appropriateness", "continuity", "believability", "social_rules")
_TABLE_5: dict[str, dict[str, tuple[tuple[float, ...], tuple[float, ...]]]] = {
    "Sonnet-4.5": {
        "GPT-4o-mini": ((6.028, 5.090, 4.463, 2.340, 4.775, 0.000), (6.973, 6.387, 5.059, 3.938, 3.540, -0.023)),
        "GPT-5.2": ((5.409, 5.285, 5.582, 2.090, 4.353, -0.120), (9.201, 7.072, 8.799, 6.732, 8.051, -0.581)),
        "Grok-4": ((5.791, 5.910, 4.996, 4.370, 4.540, 0.000), (8.574, 5.696, 7.348, 5.666, 7.285, -0.416)),
    },
    "GPT-5.1": {
        "GPT-4o-mini": ((7.618, 5.315, 6.978, 2.725, 6.287, 0.000), (7.903, 6.418, 6.700, 5.378, 4.924, 0.000)),
        "GPT-5.2": ((7.613, 5.248, 6.346, 3.169, 5.897, 0.000), (9.250, 6.765, 8.583, 6.662, 7.972, 0.000)),
        "Grok-4": ((7.856, 6.090, 6.800, 5.987, 5.979, 0.000), (8.765, 5.625, 8.074, 5.603, 7.470, -0.015)),
    },
    "DeepSeek-V3.2": {
        "GPT-4o-mini": ((6.688, 5.035, 5.708, 1.858, 5.193, 0.000), (8.363, 5.953, 7.138, 5.377, 4.843, -0.043)),
        "GPT-5.2": ((6.469, 5.045, 5.514, 1.554, 4.732, 0.000), (9.573, 6.170, 8.838, 6.458, 8.593, -0.122)),
        "Grok-4": ((7.120, 5.740, 6.976, 5.907, 5.450, 0.000), (8.925, 5.415, 8.355, 6.522, 8.130, -0.097)),
    },
}
TABLE_5 = {
    judge: {model: dict(zip(_CRITERIA, zip(*both, strict=True), strict=True)) for model, both in models.items()}
    for judge, models in _TABLE_5.items()
}

AGREEMENT = "Sentipolis, table 4: mean over its three pairs of judges"
TABLE_4 = {
    "communication": 0.906,
    "empathy": 0.911,
    "appropriateness": 0.878,
    "continuity": 0.922,
    "believability": 0.906,
    "social_rules": 0.848,
}


def _both(measures: dict[str, Sign]) -> dict[str, Sign]:
    """The same directions for the final network and for the made network."""
    return measures | {f"made_{key}": sign for key, sign in measures.items()}


# Causal claims of Sentipolis, in our words. It says itself (Limitations) that it has not tested them by removing
# a part: it compares all of the module with none, by judges alone.
CLAIMS: dict[str, tuple[PaperClaim, ...]] = {
    "sentipolis": (
        PaperClaim(
            "continuity",
            "a lasting emotion",
            "carries over from one meeting of two people to their next",
            "1; 5.1, Continuity",
            "mood.on=false",
            {"carry_over": "more"},
            "the paper has continuity judged; what a text shows of it is that the tone of a meeting comes back at the"
            " next with the same partner",
            "the embedded mind chooses lines by the mood, and a mood lasts for hours: whoever is glad at the end of one"
            " meeting is so at the beginning of the next, and says it",
        ),
        PaperClaim(
            "tags_continuity",
            "emotion tags on memories",
            "bring what was felt with somebody back when the two meet again",
            "5.1, Continuity",
            "memory.mood=false",
            {"carry_over": "more", "carry_over_partner": "more"},
            "the same measure, for the part that the paper says does it, with and without the mood of the hour",
        ),
        PaperClaim(
            "slow_continuity",
            "slow updates, made when looking back,",
            "carry what was felt from one meeting to the next",
            "5.1, Continuity",
            "mood.slow=0",
            {"carry_over": "more"},
            "the same; of the fast update it says that it keeps the tone within a talk, which no measure here tells",
        ),
        PaperClaim(
            "structure",
            "emotional agents",
            "befriend each other mutually, in communities that last, as agents without emotion do not",
            "1, fourth contribution",
            "mood.on=false",
            _both({"reciprocity": "more", "modularity": "more", "nmi": "more"}),
            "mutual ties are counted by r, how far there are communities is Q, how far they last NMI",
        ),
        PaperClaim(
            "slow_reciprocity",
            "slow updates, made when looking back,",
            "make both sides of a tie invest alike",
            "6.1",
            "mood.slow=0",
            _both({"weighted_reciprocity": "more"}),
            "r_w is what the paper explains so; of r it says that it is often low, and gives no cause",
        ),
        PaperClaim(
            "slow_stability",
            "slow updates, made when looking back,",
            "keep relationships and groups stable",
            "6.3",
            "mood.slow=0",
            _both({"nmi": "more", "drift": "less"}),
            "its two measures of stability; drift with names matched, for raw drift is mostly renaming",
        ),
        PaperClaim(
            "tags_communities",
            "emotion tags on memories",
            "bring moving encounters back to mind, which makes communities and firms them",
            "6.2",
            "memory.mood=false",
            _both({"modularity": "more"}),
            "Q is its measure of communities",
        ),
        PaperClaim(
            "tags_reciprocity",
            "emotion tied to memory",
            "lets people match what they invest in each other, and keeps the network stable",
            "1; 6.1",
            "memory.mood=false",
            _both({"weighted_reciprocity": "more", "nmi": "more"}),
            "to match is r_w; stable in its introduction is stable in its table 2, by NMI",
        ),
        PaperClaim(
            "decay_open",
            "decay of emotion",
            "keeps groups from closing themselves off",
            "6.2",
            "mood.decay=false",
            _both({"modularity": "less"}),
            "it reads a Q below .3 as groups that are still open",
        ),
        PaperClaim(
            "decay_moving",
            "decay of emotion",
            "keeps the network from becoming fixed",
            "6.3",
            "mood.decay=false",
            _both({"nmi": "less", "drift": "more"}),
            "fixed would be an NMI of 1 and no drift; names matched, as above",
        ),
    ),
}
