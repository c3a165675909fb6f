"""Plots: pictures of figures, drawn with matplotlib, which is loaded only when the first one is drawn."""

from renderer.plots.luck import FacePanel, SwingPanel, faces, swings
from renderer.plots.sheet import load
from renderer.plots.statistics import Bar, Bars, Course, Rate, Rates, statistics

__all__ = [
    "Bar",
    "Bars",
    "Course",
    "FacePanel",
    "Rate",
    "Rates",
    "SwingPanel",
    "faces",
    "load",
    "statistics",
    "swings",
]
