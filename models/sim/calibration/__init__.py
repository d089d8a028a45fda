"""Simulated recordings as people make them who set up a tray: it lies there empty, dice are shown and thrown."""
