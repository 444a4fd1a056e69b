import BatonCompiler

/// A place in a text as the protocol counts: lines from 0, and units of UTF-16 in a line from 0.
package struct TextPosition: Hashable, Sendable, Comparable {
    package var line: Int
    package var character: Int

    package init(line: Int, character: Int) {
        self.line = line
        self.character = character
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.line, left.character) < (right.line, right.character)
    }

    package init?(_ json: JSONValue?) {
        guard let line = json?["line"]?.integer, let character = json?["character"]?.integer, line >= 0, character >= 0
        else { return nil }
        self.init(line: line, character: character)
    }

    package var json: JSONValue { ["line": .integer(line), "character": .integer(character)] }
}
