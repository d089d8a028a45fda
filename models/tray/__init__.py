"""How right the tray's events and rulings are: sweeps over simulated films, and real clips beside them."""
