"""What the servers know, and what their fields do. The libraries differ only in how they ask."""

import asyncio
import hashlib
from dataclasses import dataclass, field

from graphql import GraphQLError


@dataclass
class Crate:
    id: str
    label: str


@dataclass
class Ship:
    id: str
    name: str
    kind: str
    crates: list[Crate] = field(default_factory=list)


@dataclass
class Receipt:
    name: str
    size: int
    digest: str


def crates(ship: str) -> list[Crate]:
    return [Crate(f"crate:{ship}-{number}", f"Crate {number} of ship {ship}") for number in range(1, 5)]


SHIPS = {
    ship.id: ship
    for ship in [
        Ship("Ship:1", "Aurora", "FERRY", crates("1")),
        Ship("Ship:2", "Borealis", "FREIGHTER", crates("2")),
        Ship("Ship:3", "Corona", "TUG", crates("3")),
    ]
}
CRATES = {crate.id: crate for ship in SHIPS.values() for crate in ship.crates}

served = 0


def node(id: str):
    return SHIPS.get(id) or CRATES.get(id)


def count_served() -> int:
    global served
    served += 1
    return served


def fail_at_once():
    raise GraphQLError("the crane is broken", extensions={"code": "CRANE"})


def refuse_secret():
    raise GraphQLError("the secret is secret", extensions={"code": "FORBIDDEN"})


async def wait(delay: int) -> int:
    await asyncio.sleep(delay / 1000)
    return delay


async def log(ship: Ship, delay: int) -> str:
    await wait(delay)
    return f"{ship.name} left at dawn."


async def wreck(ship: Ship, delay: int):
    await wait(delay)
    raise GraphQLError(f"{ship.name} has sunk")


async def cargo(ship: Ship, delay: int):
    for crate in ship.crates:
        await wait(delay)
        yield crate


def rename(id: str, name: str) -> Ship:
    if id not in SHIPS:
        raise GraphQLError(f"there is no ship {id}", extensions={"code": "NOT_FOUND"})
    SHIPS[id].name = name
    return SHIPS[id]


async def stow(file) -> Receipt:
    digest, size = hashlib.sha256(), 0
    while piece := await file.read(1 << 20):
        digest.update(piece)
        size += len(piece)
    return Receipt(file.filename, size, digest.hexdigest())


async def ticks(count: int, delay: int, fail_at: int):
    for number in range(1, count + 1):
        if number == fail_at:
            raise GraphQLError("the clock has stopped", extensions={"code": "CLOCK"})
        yield number
        await wait(delay)
