"""What every comparison is given, and what it writes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass
class Task:
    """A part of a group of comparisons, which can run beside others. The seed decides all that is random."""

    baton: Path
    seed: str
    part: Any = None


def write(folder: Path, texts: list) -> list:
    """Writes texts and gives their paths."""
    for text in texts:
        (folder / text.name).write_bytes(text.text.encode(errors="surrogatepass"))
    return [text.name for text in texts]
