#!/usr/bin/env python3
"""Writes Cells/WideRanges.swift: the code points that take two columns, by Unicode's data.

    wide-ranges.py [EastAsianWidth.txt] > Cells/WideRanges.swift

The file is Unicode's; Debian has it in the package unicode-data. Wide are East Asian Width W and F (Unicode Standard Annex
11), emoji with default presentation among them, and the letters of which two are one flag. Marks that combine are not.
"""
import re
import sys
import unicodedata

path = sys.argv[1] if len(sys.argv) > 1 else "/usr/share/unicode/EastAsianWidth.txt"
version, wide = "", set(range(0x1F1E6, 0x1F200))
with open(path, encoding="utf-8") as file:
    for line in file:
        version = version or "".join(re.findall(r"^# EastAsianWidth-([\d.]+)\.txt", line))
        match = re.match(r"([0-9A-F]+)(?:\.\.([0-9A-F]+))?\s*;\s*[WF]\b", line)
        if match:
            first = int(match.group(1), 16)
            wide.update(range(first, int(match.group(2) or match.group(1), 16) + 1))

ranges = []
for code in sorted(wide):
    if unicodedata.category(chr(code)) in ("Mn", "Me"):
        continue
    if ranges and ranges[-1][1] == code - 1:
        ranges[-1][1] = code
    else:
        ranges.append([code, code])

print(f"// Written by wide-ranges.py from the data of Unicode {version}.\n")
print("/// The code points that take two columns.")
print("enum WideRanges {")
print("    /// The ranges in order.")
print("    static let all: [ClosedRange<UInt32>] = [")
line = "       "
for first, last in ranges:
    item = f" 0x{first:X}...0x{last:X},"
    if len(line + item) > 118:
        print(line)
        line = "       "
    line += item
print(line)
print("    ]")
print("}")
