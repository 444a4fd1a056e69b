/// Where the end of a template stands in the document, found by reading its literals.
struct MarkupPlace {
    /// The places where a value is treated differently.
    enum Kind {
        case text, attribute, script, refused
        /// In an attribute that is a URL, after its beginning or before.
        case url(isBegun: Bool)
    }

    private enum State {
        case text
        /// After `<`, and in the name of a tag.
        case tagName
        /// Between attributes.
        case tag
        case attributeName
        /// After `=`.
        case beforeValue
        case value(quote: UInt8)
        case bareValue
        /// After `<!`, until `>`, and in a comment until `-->`.
        case declaration, comment
        /// In an element whose contents are no markup, until its end tag.
        case script, style
    }

    private var state = State.text
    private var tag = MarkupName()
    private var name = MarkupName()
    /// The last sixteen bytes, to find the end of a comment or of an element without markup.
    private var tail: UInt128 = 0
    private var isValueBegun = false

    var isText: Bool { if case .text = state { true } else { false } }

    /// True where another attribute may follow.
    var isInTag: Bool {
        switch state {
        case .tag: true
        case .tagName: !tag.isEmpty && !tag.isEndTag
        default: false
        }
    }

    var kind: Kind {
        switch state {
        case .text: .text
        case .script: .script
        case .value: attributeKind
        default: .refused
        }
    }

    private var attributeKind: Kind {
        if name.isHandler || Self.refusedNames.contains(name) { return .refused }
        return Self.urlNames.contains(name) ? .url(isBegun: isValueBegun) : .attribute
    }

    private static let refusedNames: [MarkupName] = ["style", "srcdoc", "srcset"]
    private static let urlNames: [MarkupName] = [
        "href", "src", "action", "formaction", "poster", "cite", "data", "xlink:href", "manifest", "ping", "background",
    ]
    private static let (script, style): (MarkupName, MarkupName) = ("script", "style")

    /// Notes that a value was written.
    mutating func noteValue() { isValueBegun = true }

    /// Reads a literal.
    mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) {
        var index = 0
        while index < bytes.count {
            // Most bytes are text, or stand in a value.
            switch state {
            case .text: while index < bytes.count, bytes[index] != UInt8(ascii: "<") { index += 1 }
            case .value(let quote) where isValueBegun: while index < bytes.count, bytes[index] != quote { index += 1 }
            default: break
            }
            guard index < bytes.count else { return }
            read(bytes[index])
            index += 1
        }
    }

    private mutating func read(_ byte: UInt8) {
        let isSpace = byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D || byte == 0x0C
        switch state {
        case .text:
            if byte == UInt8(ascii: "<") { (state, tag) = (.tagName, MarkupName()) }
        case .tagName:
            switch byte {
            case UInt8(ascii: ">"): endTag()
            case UInt8(ascii: "!") where tag.isEmpty: (state, tail) = (.declaration, 0)
            case _ where isSpace: state = tag.isEmpty ? .text : .tag
            default: tag.add(byte)
            }
        case .tag:
            if byte == UInt8(ascii: ">") {
                endTag()
            } else if !isSpace, byte != UInt8(ascii: "/") {
                (state, name) = (.attributeName, MarkupName())
                name.add(byte)
            }
        case .attributeName:
            switch byte {
            case UInt8(ascii: "="): (state, isValueBegun) = (.beforeValue, false)
            case UInt8(ascii: ">"): endTag()
            case _ where isSpace: state = .tag
            default: name.add(byte)
            }
        case .beforeValue:
            let isQuote = byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
            if isQuote { state = .value(quote: byte) } else if !isSpace { state = .bareValue }
        case .value(let quote):
            if byte == quote { state = .tag } else { isValueBegun = true }
        case .bareValue:
            if byte == UInt8(ascii: ">") { endTag() } else if isSpace { state = .tag }
        case .declaration:
            keep(byte)
            if byte == UInt8(ascii: ">") {
                state = .text
            } else if tail == Self.bytes("--") {
                (state, tail) = (.comment, 0)
            }
        case .comment:
            keep(byte)
            if ends(with: "-->") { state = .text }
        case .script:
            keep(MarkupName.lowercased(byte))
            if ends(with: "</script>") { state = .text }
        case .style:
            keep(MarkupName.lowercased(byte))
            if ends(with: "</style>") { state = .text }
        }
    }

    private mutating func endTag() {
        tail = 0
        state = tag == Self.script ? .script : tag == Self.style ? .style : .text
    }

    private mutating func keep(_ byte: UInt8) { tail = tail << 8 | UInt128(byte) }

    private func ends(with end: StaticString) -> Bool {
        tail & (1 << UInt128(end.utf8CodeUnitCount * 8) - 1) == Self.bytes(end)
    }

    private static func bytes(_ text: StaticString) -> UInt128 {
        text.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt128($1) } }
    }
}
