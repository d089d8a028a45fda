"""What can go wrong when a model is drawn for, trained, exported or measured."""


class TrainingError(ValueError):
    """The training cannot go on; the message says what is missing and what to do about it."""
