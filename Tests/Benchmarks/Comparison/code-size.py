#!/usr/bin/env python3
"""Measures what generated Swift costs, against plain Codable structs of the same shape.

usage: code-size.py [--corpus FOLDER] [--operations 100] [--fragments 150] [--json]

Needs `swift build -c release`: it runs the compiler `baton`, and compiles against the module `Baton` of that build. The
corpus is saleor-dashboard, with 456 operations. All of it is generated to count lines; a part is compiled together with
the enums and input objects that it uses, without and with optimization, and so are structs with the same properties that
conform to Codable, Equatable and Sendable. Times are processor times, so that other programs disturb them little. The
whole takes about five minutes.
"""
import argparse, json, pathlib, re, resource, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
PLAIN = {"Int": "Int", "Float": "Double", "Boolean": "Bool", "String": "String", "ID": "String"}
KEYWORDS = set("as break case catch class continue default defer do else enum extension false for func guard if import in "
               "init inout internal is let nil operator private protocol public repeat return self static struct subscript "
               "super switch throw throws true try var where while Any Self Type Protocol".split())
SCALARS = {"DateTime", "Date", "UUID", "Decimal", "PositiveDecimal", "JSON", "GenericScalar", "WeightScalar", "_Any", "Metadata"}
TEXTS = {"JSONString", "PositiveInt", "Minute", "Day", "Hour", "Upload"}


class Plan:
    """A reader of the text form of a plan; proposal 0001 has the grammar."""

    def __init__(self, text):
        self.text, self.at = text, 0

    def peek(self, what):
        return self.text.startswith(what, self.at)

    def take(self, what):
        if not self.peek(what): raise ValueError(f"expected {what!r} at {self.at} of {self.text!r}")
        self.at += len(what)

    def match(self, pattern):
        found = re.compile(pattern).match(self.text, self.at)
        if not found: raise ValueError(f"expected {pattern!r} at {self.at} of {self.text!r}")
        self.at = found.end()
        return found.group()

    def name(self):
        return self.match(r"[A-Za-z_]\w*")

    def brackets(self):
        """Skips a group in brackets, with the strings in it."""
        depth = 0
        while True:
            if self.peek('"'):
                self.match(r'"(?:\\.|[^"\\])*"')
                continue
            character = self.text[self.at]
            depth += (character in "([{") - (character in ")]}")
            self.at += 1
            if depth == 0: return

    def marks(self):
        while self.peek("@"):
            self.at += 1
            self.name()
            if self.peek("("): self.brackets()

    def whole(self):
        if self.peek("("): self.brackets()
        self.marks()
        return self.selections()

    def selections(self):
        items = []
        self.take("{")
        while not self.peek("}"):
            if self.peek(" "): self.at += 1
            items.append(self.item())
        self.take("}")
        return items

    def item(self):
        conditional = self.peek("[")
        if conditional: self.brackets()
        if self.peek("<"):
            name = self.match(r"<\*?\w*>").strip("<*>")
            self.marks()
            return ("inline", name, self.selections())
        if self.peek("~"):
            self.at += 1
            name = self.name()
            if self.peek("<"): self.match(r"<[^>]*>")
            self.marks()
            return ("spread", name, None)
        key = self.name()
        if self.peek("="): self.match(r"=\w+")
        if self.peek("("): self.brackets()
        self.take(":")
        kind = self.type()
        self.marks()
        return ("field", key, kind, conditional, self.selections() if self.peek("{") else None)

    def type(self):
        """Returns ("list", item, is non-null) or ("named", sign, name, is non-null)."""
        if self.peek("["):
            self.at += 1
            result = ("list", self.type())
            self.take("]")
        else:
            sign = self.match(r"[#@%+*]*")
            result = ("named", sign, self.name())
            # The types of an abstract type that implement Node.
            while "*" in sign and self.peek("+"): self.match(r"\+\w+")
        required = self.peek("!")
        if required: self.at += 1
        return result + (required,)


def escaped(name): return f"`{name}`" if name in KEYWORDS else name


def capital(name): return name[0].upper() + name[1:]


def swift(kind, innermost):
    text = f"[{swift(kind[1], innermost)}]" if kind[0] == "list" else innermost
    return text if kind[-1] else text + "?"


class Writer:
    """Writes the structs of a plan, and remembers the enums that they name."""

    def __init__(self):
        self.enums = set()

    def leaf(self, kind):
        while kind[0] == "list": kind = kind[1]
        _, sign, name, _ = kind
        if "#" in sign: self.enums.add(capital(name))
        return capital(name) if "#" in sign else "Scalar" if "@" in sign else PLAIN.get(name, "String")

    def structure(self, name, items, level, around):
        pad, properties, nested = "    " * level, [], []
        taken = around | {name, "String", "Int", "Double", "Bool", "Codable", "Equatable", "Sendable", "CodingKeys", "Scalar"}

        def claim(wanted):
            free, number = wanted, 2
            while free in taken: free, number = f"{wanted}{number}", number + 1
            taken.add(free)
            return free

        for item in items:
            if item[0] == "spread": continue
            if item[0] == "inline":
                kind, key, selections, conditional = ("named", "", "", False), "as" + capital(item[1]), item[2], False
            else:
                _, key, kind, conditional, selections = item
            if selections is None:
                type_name = self.leaf(kind)
            else:
                type_name = claim(capital(key))
                nested.append(self.structure(type_name, selections, level + 1, around))
            text = swift(kind, type_name)
            if conditional and not text.endswith("?"): text += "?"
            properties.append(f"{pad}    let {escaped(key)}: {text}\n")
        return f"{pad}struct {escaped(name)}: Codable, Equatable, Sendable {{\n{''.join(properties + nested)}{pad}}}\n"


def reader_of(text):
    """The reader plan of a generated file; an operation without spreads has only a normalization plan."""
    for key in ("reader", "normalization"):
        found = re.search(key + r': (#*)"(.*?)"\1(?=[,)\n])', text)
        if found: return Plan(found.group(2)).whole()
    return None


def spreads(items):
    for item in items:
        if item[0] == "spread": yield item[1]
        elif item[-1]: yield from spreads(item[-1])


def generate(corpus, folder):
    """Writes the code of the whole corpus; returns the texts by their Swift types."""
    mapped = {name: "JSONValue" for name in SCALARS} | {name: "String" for name in TEXTS}
    (folder / "baton.json").write_text(json.dumps({
        "schema": [str(corpus / "schema.graphql")], "documents": [str(corpus / "documents/*.graphql")],
        # Two fragments that no operation spreads have the names of types.
        "exclude": [str(corpus / f"documents/{name}.graphql") for name in ("0428-UserWithoutDetails", "0429-User")],
        "output": "generated", "scalars": mapped,
    }))
    done = subprocess.run([ROOT / ".build/release/baton", "compile"], cwd=folder, capture_output=True, text=True)
    if done.returncode: sys.exit("code-size: the corpus does not compile\n" + done.stderr[-2000:])
    return {path.name.split(".")[0]: path.read_text() for path in sorted((folder / "generated").glob("*.swift"))}


def choose(texts, operations, fragments):
    """Returns the chosen operations with all fragments that they reach, further fragments, and their plans."""
    plans = {name: reader_of(text) for name, text in texts.items()}
    by_name = {re.search(r'name: "(\w+)"', texts[name]).group(1): name
               for name in texts if ": GraphQLFragment" in texts[name]}
    of_operations = [name for name, plan in plans.items() if plan is not None and name not in by_name.values()]
    chosen = of_operations[::max(1, len(of_operations) // operations)][:operations]

    def reach(pending, reached):
        while pending:
            name = pending.pop(0)
            if name in reached: continue
            reached.append(name)
            pending += [by_name[spread] for spread in spreads(plans[name])]
        return reached

    reached = reach(chosen, [])
    rest = [name for name in by_name.values() if name not in reached]
    room = fragments - (len(reached) - min(operations, len(of_operations)))
    return {name: plans[name] for name in reach(rest[:max(0, room)], reached)}


def write(texts, plans, ours, naive):
    """Writes the generated files of the plans with all types that they name, and structs of the same shape."""
    pending, kept = list(plans), set(plans)
    while pending:
        text = texts[pending.pop()]
        for name in set(re.findall(r"\b[A-Z_]\w*", text)) - kept:
            if name in texts and reader_of(texts[name]) is None:
                kept.add(name)
                pending.append(name)
    for name in kept: (ours / f"{name}.swift").write_text(texts[name])
    writer = Writer()
    around = {name for name in texts if reader_of(texts[name]) is None}
    for name, plan in plans.items():
        (naive / f"{name}.swift").write_text(f"enum {name} {{\n{writer.structure('Data', plan, 1, around)}}}\n")
    support = ["struct Scalar: Codable, Equatable, Sendable { let text: String }\n"]
    support += [f"struct {name}: Codable, Equatable, Sendable {{ let rawValue: String }}\n" for name in sorted(writer.enums)]
    (naive / "Support.swift").write_text("".join(support))


def compiled(folder, mode):
    """Compiles a folder as one module; returns the processor time in seconds and the size of code and constants."""
    output = folder / f"module{mode}.o"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    # Without -enable-testing, optimization removes internal declarations that nothing in the module uses.
    subprocess.run(["swiftc", mode, "-wmo", "-enable-testing", "-swift-version", "6", "-parse-as-library", "-module-name",
                    "Measured", "-I", ROOT / ".build/release/Modules", "-c", *sorted(folder.glob("*.swift")), "-o", output],
                   check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    size = subprocess.run(["size", output], check=True, capture_output=True, text=True).stdout.splitlines()[-1].split()
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, int(size[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--corpus", type=pathlib.Path, default=ROOT.parent / "shared/corpora/saleor-dashboard")
    parser.add_argument("--operations", type=int, default=100)
    parser.add_argument("--fragments", type=int, default=150)
    parser.add_argument("--json", action="store_true", help="one line a figure, as a JSON object")
    options = parser.parse_args()
    if not options.corpus.is_dir(): sys.exit(f"code-size: {options.corpus} is not there")

    def figure(name, value, unit, target):
        value = round(value, 3)
        if options.json:
            print(json.dumps({"id": f"codesize.{name}", "value": value, "unit": unit, "target": target, "better": "lower"}))
        else:
            print(f"{'codesize.' + name:28} {value:>8} {unit:6} <= {target:<7} {'ok' if value <= target else 'MISSED'}", flush=True)

    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        texts = generate(options.corpus, scratch)
        figure("lines", sum(text.count("\n") for text in texts.values()), "lines", 30_000)
        ours, naive = scratch / "ours", scratch / "naive"
        ours.mkdir(), naive.mkdir()
        write(texts, choose(texts, options.operations, options.fragments), ours, naive)
        for mode, name in (("-Onone", "onone"), ("-O", "o")):
            (own_time, own_size), (naive_time, naive_size) = compiled(ours, mode), compiled(naive, mode)
            figure(f"{name}-vs-naive", own_time / naive_time, "x", 0.5)
        figure("text-vs-naive", own_size / naive_size, "x", 0.6)


if __name__ == "__main__":
    main()
