/// The value of `Content-Type`: type and subtype, and the charset if one is given.
///
/// Specification: RFC 9110, section 8.3.
struct MediaType: Sendable, Hashable {
    /// Type and subtype in lower case, such as `application/json`.
    let name: String
    /// The charset in lower case.
    let charset: String?

    /// Reads the value of a field `Content-Type`; nil for a value without a type.
    init?(_ text: String) {
        // The common case: a name in lower case and nothing else.
        if !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x3B && !(0x41...0x5A).contains($0) })
        {
            name = text
            charset = nil
            return
        }
        let parts = text.split(separator: ";", omittingEmptySubsequences: false)
        name = Self.trimmed(parts.first ?? "").lowercased()
        guard !name.isEmpty else { return nil }
        var charset: String?
        for part in parts.dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, Self.trimmed(pair[0]).lowercased() == "charset" else { continue }
            // strawberry puts a second media type behind a comma.
            let value = pair[1].prefix { $0 != "," }
            charset = Self.trimmed(value).filter { $0 != "\"" }.lowercased()
        }
        self.charset = charset
    }

    var isJSON: Bool { name == "application/json" || name == "text/json" || name.hasSuffix("+json") }

    /// The charset if it is not UTF-8 or a part of UTF-8.
    var foreignCharset: String? {
        guard let charset, !["utf-8", "utf8", "us-ascii", "ascii", ""].contains(charset) else { return nil }
        return charset
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text.drop { $0 == " " || $0 == "\t" })
    }
}
