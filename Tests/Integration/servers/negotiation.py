"""How Apollo Server chooses the format of incremental delivery from the field Accept.

It asks the package `negotiator` which of the types that it provides the client prefers. That package takes the entry
that is the most specific for each type, a parameter counting for more than a weight, and sorts by weight, by
specificity, and by place in the field. The bare type stands first among the provided ones: a client that names no
format is refused.
"""

BARE = "multipart/mixed"
OLD = "multipart/mixed; deferSpec=20220824"
NEW = "multipart/mixed; incrementalSpec=v0.2"


def split(entry: str) -> tuple[str, dict[str, str]]:
    kind, *parameters = (part.strip() for part in entry.split(";"))
    pairs = (parameter.partition("=") for parameter in parameters)
    return kind.lower(), {name.strip().lower(): value.strip().strip('"') for name, _, value in pairs}


def matches(entry: str, provided: str) -> int | None:
    """How specifically an entry names a type; nothing if it does not."""
    (kind, parameters), (own, own_parameters) = split(entry), split(provided)
    wanted = {name: value for name, value in parameters.items() if name != "q"}
    score = 0
    for part, own_part, worth in zip(kind.split("/"), own.split("/"), (4, 2)):
        if part == own_part:
            score += worth
        elif part != "*":
            return None
    if not wanted:
        return score
    return score + 1 if all(own_parameters.get(name) == value for name, value in wanted.items()) else None


def preferred(accept: str, provided: list[str]) -> str | None:
    """The provided type that a client prefers."""
    candidates = []
    for index, kind in enumerate(provided):
        best = None
        for place, entry in enumerate(accept.split(",")):
            score = matches(entry, kind)
            weight = float(split(entry)[1].get("q", "1"))
            if score is not None and (best is None or (score, weight, place) > best):
                best = (score, weight, place)
        if best is not None and best[1] > 0:
            score, weight, place = best
            candidates.append((-weight, -score, place, index, kind))
    return min(candidates)[4] if candidates else None


def refusal(accept: str, is_old: bool) -> str | None:
    """Why Apollo Server refuses an operation with several responses; nothing if it does not.

    A server with the older format is one before 5.1; one with the current format is one from 5.2 on to which nobody has
    given the older one.
    """
    wanted = OLD if is_old else NEW
    choice = preferred(accept, [BARE, OLD] if is_old else [BARE, NEW, OLD])
    if choice == wanted:
        return None
    if choice == OLD:
        return (
            "Apollo Server received an operation that uses incremental delivery (@defer or @stream) with the legacy "
            f"incremental format, but the server does not support it. Add the HTTP header: 'Accept: {NEW}'"
        )
    return (
        "Apollo server received an operation that uses incremental delivery (@defer or @stream), but the client does "
        f"not accept multipart/mixed HTTP responses. Add the HTTP header 'Accept: {wanted}'."
    )
