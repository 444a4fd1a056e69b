import BatonCompiler
import BatonLanguageServer
import RandomCases
import Testing

struct OpenDocumentTests {
    private static func edited(_ text: String, _ line: Int, _ character: Int, _ endLine: Int, _ end: Int, _ new: String)
        -> String
    {
        var document = OpenDocument(uri: DocumentURI("file:///a.graphql"), version: 1, text: text)
        let range = TextRange(
            start: TextPosition(line: line, character: character), end: TextPosition(line: endLine, character: end))
        let isWhole = document.apply([["range": range.json, "text": .string(new)]], version: 2)
        #expect(isWhole)
        return String(decoding: document.bytes, as: UTF8.self)
    }

    @Test func columnsCountUnitsOfUTF16() {
        #expect(Self.edited("a\u{1F600}b", 0, 3, 0, 4, "c") == "a\u{1F600}c")
        #expect(Self.edited("\u{E9}\u{20AC}b", 0, 2, 0, 3, "c") == "\u{E9}\u{20AC}c")
        // Inside a character is before it.
        #expect(Self.edited("a\u{1F600}b", 0, 2, 0, 3, "c") == "acb")
    }

    @Test func aPositionBeyondTheEndIsTheEnd() {
        #expect(Self.edited("ab\ncd", 0, 99, 0, 99, "!") == "ab!\ncd")
        #expect(Self.edited("ab\r\ncd", 0, 99, 1, 0, "") == "abcd")
        #expect(Self.edited("ab\ncd", 99, 0, 99, 5, "!") == "ab\ncd!")
        #expect(Self.edited("", 3, 3, 4, 4, "x") == "x")
        #expect(Self.edited("abc", 0, 2, 0, 1, "-") == "ab-c")
    }

    @Test func everyOffsetHasAPositionThatLeadsBack() {
        let text = "a\u{1F600}b\r\n\u{E9}\r\r\n\n\u{20AC} x\n"
        let lines = LineIndex(Array(text.utf8))
        for index in text.unicodeScalars.indices {
            let offset = text.utf8.distance(from: text.startIndex, to: index)
            // Between CR and LF there is no position of its own.
            if lines.bytes[offset] == 0x0A, offset > 0, lines.bytes[offset - 1] == 0x0D { continue }
            #expect(lines.offset(of: lines.position(of: offset)) == offset)
        }
        #expect(lines.lineCount == 6)
        #expect(lines.position(of: 10_000) == TextPosition(line: 5, character: 0))
    }

    /// Random edits against an array of scalars.
    @Test(arguments: RandomCases.seeds(20, from: 1 as UInt64))
    func editsAreThoseOfAnArrayOfScalars(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let alphabet = ["a", "\n", "\u{1F600}", "\u{E9}", " ", "\u{20AC}", "{", "\r\n"]
        var model = "start\n"
        var document = OpenDocument(uri: DocumentURI("untitled:1"), version: 1, text: model)
        for version in 0..<100 {
            let scalars = Array(model.unicodeScalars)
            func position(_ index: Int) -> TextPosition {
                var position = TextPosition(line: 0, character: 0)
                for (number, scalar) in scalars[..<index].enumerated() {
                    let isBreak =
                        scalar == "\n" || scalar == "\r" && (number + 1 >= scalars.count || scalars[number + 1] != "\n")
                    position.character += scalar == "\r" ? 0 : scalar.utf16.count
                    if isBreak { position = TextPosition(line: position.line + 1, character: 0) }
                }
                return position
            }
            func isBetweenBreaks(_ index: Int) -> Bool {
                index > 0 && index < scalars.count && scalars[index] == "\n" && scalars[index - 1] == "\r"
            }
            let ends = [random.below(scalars.count + 1), random.below(scalars.count + 1)].sorted()
            if ends.contains(where: isBetweenBreaks) { continue }
            let text = (0..<random.below(4)).map { _ in random.pick(alphabet) }.joined()
            let range = TextRange(start: position(ends[0]), end: position(ends[1]))
            let isWhole = document.apply([["range": range.json, "text": .string(text)]], version: version)
            #expect(isWhole)
            var view = String.UnicodeScalarView()
            view.append(contentsOf: scalars[..<ends[0]])
            view.append(contentsOf: text.unicodeScalars)
            view.append(contentsOf: scalars[ends[1]...])
            model = String(view)
            #expect(document.bytes == Array(model.utf8), "seed \(seed)")
        }
    }

    /// Several changes in one message are those of as many messages.
    @Test(arguments: RandomCases.seeds(20, from: 1 as UInt64))
    func changesOfOneMessageCountOnTheOnesBefore(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let start = "first line\r\n\u{1F600} second\n\rthird \u{E9} line\nfourth"
        var together = OpenDocument(uri: DocumentURI("untitled:1"), version: 1, text: start)
        var alone = together
        for version in 0..<40 {
            let changes = (0..<(1 + random.below(6))).map { number -> JSONValue in
                // Most of them go from the end to the beginning, as editors send them.
                let line = random.chance(70) ? max(0, 4 - number) : random.below(6)
                let begin = TextPosition(line: line, character: random.below(14))
                let end = TextPosition(line: line + random.below(2), character: random.below(14))
                let text = random.pick(["", "x", "\n", "\r", "\r\n", "\u{1F600}", "a\nb"])
                return ["range": TextRange(start: begin, end: max(begin, end)).json, "text": .string(text)]
            }
            _ = together.apply(changes, version: version)
            for change in changes { _ = alone.apply([change], version: version) }
            #expect(together.bytes == alone.bytes, "seed \(seed)")
        }
    }

    @Test func aChangeOfEachLineOfALongTextIsNotACopyForEach() {
        let count = 10_000
        var document = OpenDocument(
            uri: DocumentURI("untitled:1"), version: 1, text: String(repeating: "some words\n", count: count))
        let changes = (0..<count).reversed().map { line -> JSONValue in
            let start = TextPosition(line: line, character: 0)
            return ["range": TextRange(start: start, end: start).json, "text": "  "]
        }
        _ = document.apply(changes, version: 2)
        #expect(document.bytes == Array(String(repeating: "  some words\n", count: count).utf8))
    }

    @Test func addressesAreRead() {
        #expect(DocumentURI("file:///a%20b/c.graphql").path?.description == "/a b/c.graphql")
        #expect(DocumentURI("file://localhost/a").path?.description == "/a")
        #expect(DocumentURI("untitled:Untitled-1").path == nil)
        #expect(DocumentURI("file:///a%2").path == nil)
        #expect(DocumentURI("file://other/a").path == nil)
        #expect(DocumentURI(.init(absolute: "/a b/\u{E9}")).text == "file:///a%20b/%C3%A9")
    }
}
