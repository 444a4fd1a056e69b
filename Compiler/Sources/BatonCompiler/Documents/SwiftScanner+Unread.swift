import BatonDiagnostics

/// The documents in a source that are not read, such as `gql("query A { a }")` and `graphql(text: "query A { a }")`.
/// Users of other clients write such calls, and no other message tells them.
extension SwiftScanner {
    /// A call of a function whose name resembles `graphql`, or a call of `graphql` with a label.
    struct Lookalike {
        let name: Range<Int>
        let label: Range<Int>?
    }

    /// The way in which a file mentions `graphql`.
    enum Mention {
        /// The file contains the name `graphql`.
        case marker
        /// The file contains only names that resemble `graphql`.
        case lookalike
    }

    /// Searches a file for `graphql` and names that resemble it; nil without any.
    static func mention(in bytes: [UInt8]) -> Mention? {
        var mention: Mention?
        for index in bytes.indices where bytes[index] | 0x20 == UInt8(ascii: "g") {
            if bytes[index...].starts(with: "graphql".utf8) { return .marker }
            if begins(bytes[index...], with: "gql") || begins(bytes[index...], with: "graphql") { mention = .lookalike }
        }
        return mention
    }

    /// Whether a name is `gql` or `graphql` in any case of its letters.
    static func resemblesMarker(_ word: ArraySlice<UInt8>) -> Bool {
        word.count == 3 && begins(word, with: "gql") || word.count == 7 && begins(word, with: "graphql")
    }

    /// Whether bytes begin with a word, whose letters may have another case.
    private static func begins(_ bytes: ArraySlice<UInt8>, with word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard bytes.count >= count else { return false }
        return word.withUTF8Buffer { zip($0, bytes).allSatisfy { $0 == $1 | 0x20 } }
    }

    /// Records a call if its first argument is a literal. A call of `graphql` itself must have a label. The position is
    /// after the name, and does not move.
    mutating func noteLookalike(named name: Range<Int>, isMarker: Bool) {
        let (start, wasSilent) = (position, isSilent)
        // The skipped bytes are scanned again.
        isSilent = true
        defer { (position, isSilent) = (start, wasSilent) }
        skipTrivia()
        guard peek(0) == UInt8(ascii: "(") else { return }
        position += 1
        skipTrivia()
        var label: Range<Int>?
        if isLabel(at: position) {
            let first = position
            while let byte = peek(0), byte > 0x20, byte != UInt8(ascii: ":") { position += 1 }
            label = first..<position
            while peek(0) != UInt8(ascii: ":") { position += 1 }
            position += 1
            skipTrivia()
        }
        if isMarker, label == nil { return }
        let pounds = bytes[position...].prefix { $0 == UInt8(ascii: "#") }.count
        if peek(pounds) == UInt8(ascii: "\"") { lookalikes[position] = Lookalike(name: name, label: label) }
    }

    /// Whether the literal before the position is the only argument of a call, or its last one.
    var isOnlyArgument: Bool {
        var scanner = self
        scanner.skipTrivia()
        if scanner.peek(0) == UInt8(ascii: ",") {
            scanner.position += 1
            scanner.skipTrivia()
        }
        return scanner.peek(0) == UInt8(ascii: ")")
    }

    /// Records a literal before the position that the compiler does not read, if it begins like a document.
    mutating func noteUnread(_ literal: SwiftLiteral) {
        let lookalike = lookalikes.removeValue(forKey: literal.start)
        guard beginsDocument(literal.content) else { return }
        unread.append(literal)
        if let lookalike, isOnlyArgument { unreadCalls.append(lookalike) }
    }

    /// Reports documents in calls that resemble `graphql(_:)`, except calls of functions that the file declares.
    mutating func reportUnreadCalls() {
        for call in unreadCalls {
            let name = String(decoding: bytes[call.name], as: UTF8.self)
            if declaredLookalikes.contains(name.lowercased()) || name == "graphql" && declaresMarker { continue }
            let label = call.label.map { "(" + String(decoding: bytes[$0], as: UTF8.self) + ":)" } ?? ""
            reportUnread(
                Diagnostic(
                    .swiftUnread, severity: .warning, "'\(name)\(label)' is not read by the compiler",
                    at: span(call.name.lowerBound, call.label?.upperBound ?? call.name.upperBound),
                    suggestion: "write 'graphql(...)' with the document as its only argument, without a label"))
        }
    }

    /// Whether a text begins like a document: with a keyword and a token that may follow it, or with a selection.
    private func beginsDocument(_ content: Range<Int>) -> Bool {
        var rest = bytes[content]
        func skipIgnored() {
            while let byte = rest.first {
                if byte == UInt8(ascii: "#") {
                    rest = rest.drop { $0 != 0x0A && $0 != 0x0D }
                } else if byte <= 0x20 || byte == UInt8(ascii: ",") {
                    rest = rest.dropFirst()
                } else {
                    return
                }
            }
        }
        func takeName() -> Substring {
            let name = rest.prefix(while: Self.isIdentifierByte)
            rest = rest.dropFirst(name.count)
            skipIgnored()
            return Substring(decoding: name, as: UTF8.self)
        }
        skipIgnored()
        if rest.first == UInt8(ascii: "{") {
            rest = rest.dropFirst()
            skipIgnored()
            return rest.first.map { Self.isIdentifierByte($0) || $0 == UInt8(ascii: ".") } ?? false
        }
        switch takeName() {
        case "query", "mutation", "subscription":
            _ = takeName()
            return rest.first.map { "{(@".utf8.contains($0) } ?? false
        case "fragment": return !takeName().isEmpty && takeName() == "on" && !takeName().isEmpty && !rest.isEmpty
        default: return false
        }
    }
}
