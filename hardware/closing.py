"""What is open until it is closed: by `close`, or at the end of a `with`."""

from types import TracebackType
from typing import Self


class Closing:
    """Something with a `close` of its own that may be called again."""

    def close(self) -> None:
        """Let go of it; once closed, nothing."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
