"""The article's worked example as a small repository: what is in its files, and how they are written to disk.

The test file has the words of the question. What decides whether the test runs is a function of a module about graphics
cards, and what the test exercises is a model in a third file; neither has a word of the question in it. Around them
stands a haystack of files that have some.
"""

from __future__ import annotations

from pathlib import Path

QUESTION = "Why is the CUDA batching equivalence test skipped?"
TEST, CONDITION, MODEL = (
    "checks/test_lightglue.py",
    "vision/gpu_utils.py",
    "vision/lightglue_model.py",
)

FILES = {
    TEST: '''
import unittest

from vision.gpu_utils import device_ready
from vision.lightglue_model import LightGlue


class LightGlueTest(unittest.TestCase):
    def test_matches_are_sorted(self):
        self.assertEqual(LightGlue(4).match([3, 1], [1, 3]), [(0, 1), (1, 0)])

    @unittest.skipUnless(device_ready(), "CUDA is not usable: skipped")
    def test_cuda_batching_equivalence(self):
        """Batching on CUDA gives the same matches as one pair at a time."""
        model = LightGlue(4)
        one = model.match([1, 2], [2, 1])
        self.assertEqual(model.match_many([([1, 2], [2, 1])]), [one])
''',
    CONDITION: '''
"""What graphics cards are there, and may we use them."""

import os
import shutil

OLDEST_DRIVER = 525


def device_ready():
    """True where a card answers and its driver is new enough."""
    return shutil.which("nvidia-smi") is not None and driver_version() >= OLDEST_DRIVER


def driver_version():
    return int(os.environ.get("DRIVER", "0"))
''',
    MODEL: '''
"""Matches points of two pictures by attention."""


class LightGlue:
    """Pairs descriptors that look alike."""

    def __init__(self, layers):
        self.layers = layers

    def match(self, left, right):
        """Return index pairs, sorted by the left one."""
        return sorted((i, right.index(x)) for i, x in enumerate(left) if x in right)

    def match_many(self, pairs):
        return [self.match(left, right) for left, right in pairs]
''',
    "vision/__init__.py": "",
}
TOPICS = [
    "audio",
    "camera",
    "cropping",
    "cutting",
    "depth",
    "drawing",
    "edges",
    "export",
    "filters",
    "flow",
    "frames",
    "histogram",
    "imports",
    "labels",
    "lenses",
    "loader",
    "masks",
    "meshes",
    "metrics",
    "noise",
    "padding",
    "pixels",
    "poses",
    "queue",
    "scaling",
    "scenes",
    "sensors",
    "stereo",
    "tiles",
    "video",
]


def write_repository(root: Path) -> Path:
    """Write the files below `root` and return it."""
    for path, text in {**FILES, **haystack()}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text.lstrip(), encoding="utf-8")
    return root


def haystack() -> dict[str, str]:
    """Files that have words of the question and nothing to do with the answer."""
    files = {}
    for topic in TOPICS:
        files[f"vision/{topic}.py"] = f'''
def {topic}_in_batches(items, size):
    """Batching of {topic}: cut items into groups, on CUDA or not; a short last group is skipped."""
    return [items[at : at + size] for at in range(0, len(items), size)]
'''
        files[f"checks/test_{topic}.py"] = f"""
from vision.{topic} import {topic}_in_batches


def test_{topic}_batching():
    assert {topic}_in_batches([1, 2, 3], 2) == [[1, 2], [3]]
"""
    return files
