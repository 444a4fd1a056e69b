#!/usr/bin/env python3
"""Writes Cells/WideRanges.swift: the code points that take two columns, by the Unicode data of this Python.

    wide-ranges.py > Cells/WideRanges.swift

East Asian Width W and F (Unicode Standard Annex 11); emoji with default presentation are among them. Unassigned code
points in the planes of ideographs count as wide, as the annex says.
"""
import unicodedata


def is_wide(code):
    character = chr(code)
    if 0x20000 <= code <= 0x2FFFD or 0x30000 <= code <= 0x3FFFD:
        return True
    if 0x1F1E6 <= code <= 0x1F1FF:
        # Two of these letters are one flag.
        return True
    return unicodedata.east_asian_width(character) in "WF" and unicodedata.category(character) not in ("Mn", "Me", "Cn")


ranges = []
for code in range(0x110000):
    if not is_wide(code):
        continue
    if ranges and ranges[-1][1] == code - 1:
        ranges[-1][1] = code
    else:
        ranges.append([code, code])

print("// Written by wide-ranges.py from the data of Unicode " + unicodedata.unidata_version + ".\n")
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
