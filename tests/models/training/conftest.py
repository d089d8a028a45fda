"""The miniature is made once for all tests that need trained networks or drawn dice."""

import pytest


@pytest.fixture(scope="session")
def miniature(tmp_path_factory):
    """The exit status of `smoke`, and the folder it worked in."""
    pytest.importorskip("torch", reason="torch is needed for training alone")
    from models.training.__main__ import main

    folder = tmp_path_factory.mktemp("miniature")
    return main(["smoke", "--work", str(folder)]), folder
