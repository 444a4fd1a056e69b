"""Makes a moving picture of a terminal program from recorded frames, as an SVG without a script.

usage: moving-picture.py FRAMES [NUMBER] > PICTURE.svg

FRAMES is what `starwars --frames` prints; the name of each frame stands below it. With a number, that frame alone is
shown, the first being 1. Where few cells of a frame differ from the frame before, they are marked. Who asks for less
motion sees the last frame that has marks.
"""

import html
import re
import sys
import textwrap

WIDTH, HEIGHT, SECONDS = 8.4, 17, 3.2
MARGIN, TOP, FOOT = 14, 16, 54
STYLE = """
text { font: 14px ui-monospace, "SF Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #1f2937; white-space: pre }
.ground { fill: #fcfcfd; stroke: #d4d7dd }
.line { fill: #9aa3b2 }
.first { fill: #0b5fb0; font-weight: bold }
.star { fill: #a15c00 }
.foot { fill: #5b6472 }
.words { font: 15px system-ui, "DejaVu Sans", sans-serif; fill: #1f2937 }
.mark { fill: #ffe28a }
@media (prefers-color-scheme: dark) {
  text, .words { fill: #dfe3ea }
  .ground { fill: #15181e; stroke: #333945 }
  .line { fill: #667085 }
  .first { fill: #7ab8ff }
  .star { fill: #ffc857 }
  .foot { fill: #a3acba }
  .mark { fill: #5a4300 }
}
"""


def frames_of(text):
    """The name and the lines of each frame."""
    parts = re.split(r"^=== (.*), \d+x\d+\n", text, flags=re.M)[1:]
    return [(name, body.rstrip("\n").split("\n")) for name, body in zip(parts[::2], parts[1::2])]


def changes(lines, before):
    """The runs of cells that differ from those of the frame before: the line, the first cell, the cell behind the last."""
    found = []
    for row, (line, old) in enumerate(zip(lines, before)):
        width = max(len(line), len(old))
        cells = [column for column, (a, b) in enumerate(zip(line.ljust(width), old.ljust(width))) if a != b]
        for column in cells:
            if found and found[-1][0] == row and column - found[-1][2] < 6:
                found[-1][2] = column + 1
            else:
                found.append([row, column, column + 1])
    return found


def kind(run, row, count):
    if row == 0:
        return "first"
    if row >= count - 2:
        return "foot"
    if re.fullmatch(r"[─-▟]+", run):
        return "line"
    return "star" if "★" in run else ""


def texts(lines):
    """Each run of cells stands at its own place, so that a font with other widths shifts nothing."""
    for row, line in enumerate(lines):
        for match in re.finditer(r"[─-▟]+|[^\s─-▟]+(?: [^\s─-▟]+)*", line):
            x, y = MARGIN + match.start() * WIDTH, TOP + (row + 1) * HEIGHT - 4
            name = kind(match[0], row, len(lines))
            name = f' class="{name}"' if name else ""
            length = len(match[0]) * WIDTH
            yield f'<text x="{x:.1f}" y="{y}" textLength="{length:.1f}"{name}>{html.escape(match[0])}</text>'


def picture(frames, only=None):
    rows = max(len(lines) for _, lines in frames)
    wide = 2 * MARGIN + max(len(line) for _, lines in frames for line in lines) * WIDTH
    high = TOP + rows * HEIGHT + 14 + FOOT
    count = len(frames)
    share = 100 / count
    still = 0
    groups = []
    for number, (name, lines) in enumerate(frames):
        marks = changes(lines, frames[number - 1][1]) if number else []
        if sum(end - start for _, start, end in marks) > 180:
            marks = []
        still = number if marks else still
        parts = [
            f'<rect class="mark" x="{MARGIN + start * WIDTH - 2:.1f}" y="{TOP + row * HEIGHT}" rx="3" '
            f'width="{(end - start) * WIDTH + 4:.1f}" height="{HEIGHT}"/>' for row, start, end in marks
        ]
        parts += texts(lines)
        for line, words in enumerate(textwrap.wrap(name, 76)):
            parts.append(f'<text class="words" x="{MARGIN}" y="{high - FOOT + 24 + 20 * line}">{html.escape(words)}</text>')
        groups.append(f'<g id="f{number}">' + "\n".join(parts) + "</g>")
    style = STYLE
    if only:
        still = only - 1
        groups = [groups[still]]
    else:
        style += f"g {{ opacity: 0; animation: show {count * SECONDS:.1f}s step-end infinite }}\n"
        style += f"@keyframes show {{ 0% {{ opacity: 1 }} {share:.3f}% {{ opacity: 0 }} 100% {{ opacity: 0 }} }}\n"
        style += "".join(f"#f{number} {{ animation-delay: {number * SECONDS:.1f}s }}\n" for number in range(count))
        style += f"@media (prefers-reduced-motion) {{ g {{ animation: none }} #f{still} {{ opacity: 1 }} }}\n"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {high:.0f}" role="img">\n'
        f"<title>{html.escape(frames[still][0])}</title>\n<style>{style}</style>\n"
        f'<rect class="ground" x="0.5" y="0.5" rx="9" width="{wide - 1:.0f}" height="{high - FOOT:.0f}"/>\n'
        + "\n".join(groups) + "\n</svg>\n")


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        frames = frames_of(file.read())
    sys.stdout.write(picture(frames, int(sys.argv[2]) if len(sys.argv) > 2 else None))
