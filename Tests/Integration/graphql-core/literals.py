"""Literals for every kind of input type, right ones and arbitrary ones."""

from __future__ import annotations

from random import Random
from typing import Callable, Optional, Protocol

from trees import Argument, ListValue, Literal, ObjectValue, Value


class Catalogue(Protocol):
    """What has to be known of the input types of a schema."""

    def enum_values(self, name: str) -> Optional[list]:
        """The values, or nothing if this is no enum."""

    def input_fields(self, name: str) -> Optional[list]:
        """Name, type and whether there is a default for each input field, or nothing if this is no input object."""

    def is_one_of(self, name: str) -> bool: ...


STRINGS = [
    '""', '"plain"', '"tab\\tquote\\" slash\\/ back\\\\"', '"\\u00e9\\u0041"', '"\\u{1F600} \\u{0}"', '"\\uD83D\\uDE00"',
    '"\u00fc\u4e2d\U0001f600"', '"# no comment, ..."', '""""""', '"""block"""', '"""\n  indented\n    more\n\n  back\n"""',
    '"""\r\n\tquote \\""" and "" inside\r  lines """', '"""\n\n  blank lines around  \n\n"""', '"""first\n   second\n  third"""',
    '"""\\u0041 \\n stays"""', '"\\b\\f\\n\\r"',
]
INTS = ["0", "-0", "1", "-7", "42", "2147483647", "-2147483648"]
FLOATS = ["0.0", "-1.5", "6.02e23", "1E-7", "3e+2", "0.000", "-0.0E0"]
ARBITRARY = [
    *STRINGS[:6], *INTS[:4], *FLOATS[:3], "2147483648", "-2147483649", "99999999999999999999", "1e999", "true", "false", "null",
    "ANY", "NAME", "plain", "[]", "{}", "[null]", "[1 2]", '["a"]', "{a: 1}", "[[1] [2]]", "[[]]",
]

Substitute = Callable[[str, bool], Optional[Value]]


class LiteralGenerator:
    def __init__(self, catalogue: Catalogue, random: Random):
        self.catalogue = catalogue
        self.random = random

    def arbitrary(self) -> Literal:
        return Literal(self.random.choice(ARBITRARY))

    def value(self, type: str, substitute: Optional[Substitute] = None, has_default: bool = False, depth: int = 3) -> Value:
        """A value that is right for a type; `substitute` may put a variable anywhere."""
        if substitute and (replaced := substitute(type, has_default)):
            return replaced
        if type.endswith("!"):
            return self.inner(type[:-1], substitute, depth)
        if self.random.random() < 0.12:
            return Literal("null")
        return self.inner(type, substitute, depth)

    def inner(self, type: str, substitute: Optional[Substitute], depth: int) -> Value:
        random = self.random
        if type.startswith("["):
            item = type[1:-1]
            # A single value stands for a list of one; a variable or null would not, nor a scalar that may itself be a list.
            named = item.strip("[]!")
            if random.random() < 0.15 and not self.is_free(named):
                return self.inner(named, substitute, depth)
            count = random.choice([0, 1, 1, 2, 3]) if depth > 0 else random.choice([0, 1])
            return ListValue([self.value(item, substitute, depth=depth - 1) for _ in range(count)])
        values = self.catalogue.enum_values(type)
        if values is not None:
            return Literal(random.choice(values))
        fields = self.catalogue.input_fields(type)
        if fields is not None:
            return self.object(type, fields, substitute, depth)
        return self.scalar(type)

    def is_free(self, name: str) -> bool:
        is_known = self.catalogue.enum_values(name) is not None or self.catalogue.input_fields(name) is not None
        return not is_known and name not in ("Int", "Float", "String", "Boolean", "ID")

    def object(self, type: str, fields: list, substitute: Optional[Substitute], depth: int) -> ObjectValue:
        random = self.random
        if self.catalogue.is_one_of(type):
            simple = [each for each in fields if self.catalogue.input_fields(each[1].strip("[]!")) is None]
            name, inner, _ = random.choice(fields if depth > 0 or not simple else simple)
            # Never null, and a variable only where it cannot be.
            return ObjectValue([Argument(name, self.value(inner + "!", substitute, depth=depth - 1), inner + "!")])
        chosen = []
        for name, inner, has_default in fields:
            is_required = inner.endswith("!") and not has_default
            if is_required or depth > 0 and random.random() < 0.35:
                chosen.append(Argument(name, self.value(inner, substitute, has_default, depth - 1), inner))
        if random.random() < 0.3:
            random.shuffle(chosen)
        return ObjectValue(chosen)

    def scalar(self, name: str) -> Value:
        random = self.random
        if name == "Int":
            return Literal(random.choice(INTS))
        if name == "Float":
            return Literal(random.choice(FLOATS + INTS))
        if name == "Boolean":
            return Literal(random.choice(["true", "false"]))
        if name == "String":
            return Literal(random.choice(STRINGS))
        if name == "ID":
            return Literal(random.choice(['"a1"', '"42"', "42", "-1", '"""x"""', "99999999999999999999"]))
        return Literal(random.choice([text for text in ARBITRARY if text != "null"]))
