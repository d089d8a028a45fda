"""Measures calibration on simulated recordings whose truth is known."""
