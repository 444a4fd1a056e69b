/// A text that a person edits, and the place of the cursor. A component keeps it between frames.
@MainActor
public final class TextInput {
    /// The text.
    public private(set) var text: String
    /// The number of characters before the cursor.
    public private(set) var cursor: Int
    /// True if enter begins a new line, and pasted texts keep theirs.
    public let hasLines: Bool
    /// The first column that a text of one line shows.
    var firstColumn = 0

    /// Makes a text with the cursor at its end.
    public init(_ text: String = "", hasLines: Bool = false) {
        self.text = text
        self.hasLines = hasLines
        cursor = text.count
    }

    /// Replaces the text, and puts the cursor at its end.
    public func replace(with text: String) {
        self.text = text
        (cursor, firstColumn) = (text.count, 0)
    }

    /// Inserts a text at the cursor. Escape sequences and control characters are left out whole. In a text with lines,
    /// line ends stay and a tab is four spaces; without lines, both are one space.
    public func insert(_ text: String) {
        let clean = text.withoutEscapeSequences.flatMap { character -> [Character] in
            if character.isNewline { return [hasLines ? "\n" : " "] }
            if character == "\t" { return Array(repeating: " ", count: hasLines ? 4 : 1) }
            let isControl = character.unicodeScalars.allSatisfy { $0.properties.generalCategory == .control }
            return isControl ? [] : [character]
        }
        var characters = Array(self.text)
        characters.insert(contentsOf: clean, at: cursor)
        let before = String(characters[..<(cursor + clean.count)])
        // A combining character becomes one with the character before it.
        self.text = String(characters)
        cursor = min(self.text.count, before.count)
    }

    /// Edits by a key; returns false for keys that do not edit, such as enter in a text of one line.
    public func press(_ key: Key) -> Bool {
        switch key {
        case .character(let character): insert(String(character))
        case .enter where hasLines, .modified(.enter, _) where hasLines: insert("\n")
        case .left, .control("b"): cursor = max(0, cursor - 1)
        case .right, .control("f"): cursor = min(text.count, cursor + 1)
        case .home, .control("a"): cursor = lineStart
        case .end, .control("e"): cursor = lineEnd
        case .up where hasLines: moveLine(by: -1)
        case .down where hasLines: moveLine(by: 1)
        case .modified(.left, _), .modified(.character("b"), .alt): cursor = wordStart
        case .modified(.right, _), .modified(.character("f"), .alt): cursor = wordEnd
        case .backspace, .control("h"): remove(cursor - 1..<cursor)
        case .delete, .control("d"): remove(cursor..<cursor + 1)
        case .control("w"), .modified(.backspace, _): remove(wordStart..<cursor)
        case .modified(.character("d"), .alt), .modified(.delete, _): remove(cursor..<wordEnd)
        case .control("u"): remove(lineStart..<cursor)
        case .control("k"): remove(cursor..<max(lineEnd, min(cursor + 1, lineEnd)))
        default: return false
        }
        return true
    }

    private func remove(_ range: Range<Int>) {
        var characters = Array(text)
        let range = range.clamped(to: 0..<characters.count)
        characters.removeSubrange(range)
        text = String(characters)
        cursor = min(range.lowerBound, text.count)
    }

    private var lineStart: Int {
        let before = Array(text)[..<cursor]
        return before.lastIndex(of: "\n").map { $0 + 1 } ?? 0
    }

    private var lineEnd: Int {
        let characters = Array(text)
        return characters[cursor...].firstIndex(of: "\n") ?? characters.count
    }

    private func moveLine(by lines: Int) {
        let column = cursor - lineStart
        if lines < 0 {
            guard lineStart > 0 else { return }
            cursor = lineStart - 1
        } else {
            guard lineEnd < text.count else { return }
            cursor = lineEnd + 1
        }
        cursor = min(lineStart + column, lineEnd)
    }

    private var wordStart: Int {
        let characters = Array(text)
        var index = cursor
        while index > 0, !characters[index - 1].isWordPart { index -= 1 }
        while index > 0, characters[index - 1].isWordPart { index -= 1 }
        return index
    }

    private var wordEnd: Int {
        let characters = Array(text)
        var index = cursor
        while index < characters.count, !characters[index].isWordPart { index += 1 }
        while index < characters.count, characters[index].isWordPart { index += 1 }
        return index
    }
}

extension Character {
    fileprivate var isWordPart: Bool { isLetter || isNumber || self == "_" }
}
