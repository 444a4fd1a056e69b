import RandomCases

/// Damages texts as people and broken tools do: it deletes, repeats, swaps and cuts bytes or words, inserts dangerous
/// characters, and joins parts of two texts. The same seed gives the same damage.
package struct Damage {
    package var random: SeededGenerator
    /// Texts whose parts are inserted into other texts.
    private let others: [[UInt8]]

    package init(_ random: SeededGenerator, splicing others: [[UInt8]] = []) {
        self.random = random
        self.others = others
    }

    /// The text after one to four damages.
    package mutating func damage(_ bytes: [UInt8]) -> [UInt8] {
        var pieces = random.below(3) == 0 ? bytes.map { [$0][...] } : Self.words(of: bytes)
        for _ in 0...random.below(4) { damage(&pieces) }
        var damaged = Array(pieces.joined())
        if !others.isEmpty, random.below(12) == 0 {
            let other = others[random.below(others.count)]
            let head = damaged.prefix(random.below(damaged.count + 1))
            damaged = Array(head) + other.dropFirst(random.below(other.count + 1))
        }
        return damaged
    }

    /// Random bytes, fewer than the limit; most of them may occur in a text.
    package mutating func noise(upTo limit: Int) -> [UInt8] {
        (0..<random.below(limit)).flatMap { _ in
            random.below(3) == 0 ? [UInt8(truncatingIfNeeded: random.next())] : hurtful()
        }
    }

    private mutating func damage(_ pieces: inout [ArraySlice<UInt8>]) {
        let index = random.below(pieces.count)
        guard pieces.indices.contains(index) else {
            pieces.append(hurtful()[...])
            return
        }
        let end = min(pieces.count, index + 1 + random.below(8))
        switch random.below(12) {
        case 0, 1: pieces.remove(at: index)
        case 2: pieces.removeSubrange(index..<end)
        case 3: pieces.insert(pieces[index], at: index)
        case 4: pieces.insert(contentsOf: pieces[index..<end], at: random.below(pieces.count))
        case 5, 6: pieces.swapAt(index, random.below(pieces.count))
        case 7: pieces.removeSubrange(random.below(4) == 0 ? 0..<index : index..<pieces.count)
        case 8: pieces[index] = [UInt8(truncatingIfNeeded: random.next())]
        case 9: pieces[index] = hurtful()[...]
        case 10: pieces[index] = pieces[random.below(pieces.count)]
        default: pieces.insert(hurtful()[...], at: index)
        }
    }

    /// Runs of letters and digits, runs of white space, and single bytes.
    private static func words(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var words: [ArraySlice<UInt8>] = []
        var start = 0
        for (index, byte) in bytes.enumerated() where index > start {
            let kind = kind(of: byte)
            if kind == nil || kind != self.kind(of: bytes[index - 1]) {
                words.append(bytes[start..<index])
                start = index
            }
        }
        words.append(bytes[start...])
        return words
    }

    private static func kind(of byte: UInt8) -> Int? {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: 0
        case 0x20, 0x09, 0x0A, 0x0D: 1
        default: nil
        }
    }

    private mutating func hurtful() -> [UInt8] {
        let (text, count) = Self.hurtful[random.below(Self.hurtful.count)]
        return Array(repeatElement(Array(text.utf8), count: count).joined())
    }

    private static let hurtful: [(text: String, count: Int)] = {
        let signs = [
            "{", "}", "(", ")", "[", "]", ":", "!", "$", "&", "=", "@", "|", "...", "\"", "\"\"\"", "#", ",", "\\", "'",
            "/", "*", "-", ".", "\n", "\r", "\r\n", "\t", " ", "\0", "\u{7F}", "\u{FEFF}", "\u{A0}", "\u{2028}",
            "\u{E9}",
            "\u{1F600}", "\u{301}", "\u{201C}",
        ]
        let words = [
            " query ", " mutation ", " subscription ", " fragment ", " on ", " schema ", " scalar ", " type ",
            " interface ", " union ", " enum ", " input ", " directive ", " extend ", " implements ", " repeatable ",
            " true ", " null ", " __typename ", " Query ", " String ", " ID ", " Int ", " @skip(if: $a) ",
            " @include(if: true) ", " @deprecated ", " @oneOf ", " @defer ", " @arguments(a: $a) ",
            " @argumentDefinitions(a: {type: \"Int\", defaultValue: 1}) ", " ...F ", " ...on Query ", " $a: Int ", "$a",
            "a: a", "[[]]", "{}", "\"\\u{110000}\"", "\"\\uD83D", "\"\"\"\\\"\"\"", "1e999999999", "-0", "0.0e-0",
            "99999999999999999999999999", "\"ofType\": {", "\"kind\": \"LIST\", ", "\"name\": null, ", "\"data\": ",
        ]
        let deep = [
            ("{a", 250), ("[", 250), ("{a:", 250), ("{...", 250), ("(a:", 60), ("@a", 300), ("&A", 300), ("\"", 301),
            ("{\"ofType\":", 250),
        ]
        return signs.map { ($0, 1) } + words.map { ($0, 1) } + deep
    }()
}
