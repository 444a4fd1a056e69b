"""Random small texts: tokens in any order, and strings, numbers and names that are almost right."""

from __future__ import annotations

from random import Random

PUNCTUATORS = ["!", "$", "&", "(", ")", "...", ":", "=", "@", "[", "]", "{", "|", "}", ".", "..", "?", "-", "+", "\\", "/", "%", "'", ";"]
NAMES = ["a", "_", "__b", "c9", "query", "mutation", "subscription", "fragment", "on", "true", "false", "null", "type", "extend", "schema", "implements", "directive", "repeatable"]
NUMBERS = [
    "0", "-0", "00", "01", "-01", "1", "12", "-", "--1", "+1", "1.", ".1", "1.0", "1.0.0", "1e", "1e5", "1E+5", "1e-", "1e-05", "0e0", "0.0e0", "1a", "1_", "0x1", "1.a", "1.0a",
    "1e5a", "123.", "1...", "1..2", "-1.5E-3", "1 2", "1,2", "1\u0660", "0b", "1.e1", "-a", "1\"\"", "1#",
]
PARTS = [
    "a", " ", "\\n", "\\t", "\\\"", "\\\\", "\\/", "\\b\\f\\r", "\\u0041", "\\u00e9", "\\u{41}", "\\u{1F600}", "\\u{10FFFF}", "\\u{110000}", "\\u{}", "\\u{0}", "\\u{00000041}",
    "\\u{000000000041}", "\\u{D83D}", "\\uD83D", "\\uDE00", "\\uD83D\\uDE00", "\\uDE00\\uD83D", "\\uD83D\\u0041", "\\uD83D\\u{DE00}", "\\u004", "\\u00g0", "\\u", "\\x41", "\\'", "\\ ", "\\",
    "\u00e9", "\u4e2d", "\U0001f600", "\x00", "\x01", "\x07", "\x7f", "\x85", "\u2028", "\ufeff", "\uffff", "\t", "#", "\n", "\r", '"', '""', "\\u{41", "\\u{4 1}", "\\u{g}", "\\u{-1}", "\\U0041",
]
BLOCK_PARTS = ["a", "b c", " ", "  ", "\t", "\n", "\n  ", "\n\n", "\r\n", "\r", '"', '""', '\\"""', '\\"', "\\", "\\n", "\\u0041", "\u00e9", "\U0001f600", "\x00", "\x07", "#", "\ufeff", "\n \t ", '\\\\"""']
IGNORED = [" ", "\n", "\r", "\r\n", "\t", ",", "\ufeff", "# a\n", "#a\x00\n", "#\r", "\x0b", "\x0c", "\xa0", "\u2028", "#\ufffe\n", "\x7f"]


def string(random: Random) -> str:
    return '"' + "".join(random.choice(PARTS) for _ in range(random.choice([0, 1, 1, 2, 3]))) + '"'


def block_string(random: Random) -> str:
    return '"""' + "".join(random.choice(BLOCK_PARTS) for _ in range(random.choice([0, 1, 2, 3, 5, 8]))) + '"""'


def lexeme(random: Random) -> str:
    choice = random.random()
    if choice < 0.25:
        return string(random)
    if choice < 0.45:
        return block_string(random)
    if choice < 0.7:
        return random.choice(NUMBERS)
    if choice < 0.85:
        return random.choice(NAMES)
    if choice < 0.95:
        return random.choice(IGNORED)
    return random.choice(PUNCTUATORS)


def values(random: Random) -> str:
    """A document whose grammar is right as long as its values are."""
    inner = random.choice([" ", " ", ""]).join(lexeme(random) for _ in range(random.choice([1, 1, 1, 2, 3])))
    return random.choice(['query Q {{ f(a: [{}]) }}', "{} query Q {{ f }}", "query Q {{ f @d(a: {{ b: [{}] }}) }}", "query Q {{ f {} }}"]).format(inner)


TEMPLATES = [
    "query Q ( $ a : [ Int ! ] = [ 1 ] @ d ) @ d { f ( a : $ a ) @ d { ... F ... on T { g } ... @ d { h } a : b } }",
    "fragment F on T @ d { a }",
    "type T implements A & B @ d { \"f\" f ( a : Int = 1 @ d ) : [ T ! ] ! @ d }",
    "extend union U @ d = | A | B", "enum E { A @ d B }", "input I { a : Int = { b : 1 } }", "directive @ d ( a : Int ) repeatable on | FIELD | QUERY",
    "extend schema @ d { query : Q }", "schema { query : Q }", "scalar S @ d", "interface I implements A { a : Int }", "{ a }", "\"d\" query Q { a }", "\"d\" { a }", "\"d\" fragment F on T { a }",
    "subscription S { a }", "query Q ( \"d\" $ a : Int ) { a }", "extend type T implements A", "extend input I @ d", "type T", "union U = A", "fragment on on on { on }", "query query { query }",
    "{ a ( b : null c : true d : E e : $ v f : { } g : [ ] ) }", "{ ... on on { a } }", "type type { type : type }", "enum E { on }", "directive @ on on FIELD",
]


def tokens(random: Random) -> str:
    """A sentence of the grammar with some tokens changed."""
    words = random.choice(TEMPLATES).split(" ")
    if random.random() < 0.3:
        words += random.choice(TEMPLATES).split(" ")
    for _ in range(random.choice([0, 1, 1, 1, 2])):
        index = random.randrange(len(words))
        choice = random.randrange(4)
        if choice == 0 and len(words) > 1:
            words.pop(index)
        elif choice == 1:
            words.insert(index, random.choice(words))
        elif choice == 2:
            words[index] = random.choice([*NAMES, *PUNCTUATORS[:14], "1", '""', '""""""'])
        else:
            other = random.randrange(len(words))
            words[index], words[other] = words[other], words[index]
    return " ".join(words)


def text(random: Random) -> str:
    return values(random) if random.random() < 0.5 else tokens(random)
