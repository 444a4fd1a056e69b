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
    private var tag: [UInt8] = []
    private var name: [UInt8] = []
    /// What of `-->` or of an end tag was read last.
    private var tail: [UInt8] = []
    private var isValueBegun = false

    var isText: Bool { if case .text = state { true } else { false } }

    /// True where another attribute may follow.
    var isInTag: Bool {
        switch state {
        case .tag: true
        case .tagName: !tag.isEmpty && tag.first != UInt8(ascii: "/")
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
        if name.starts(with: Array("on".utf8)) || Self.refusedNames.contains(name) { return .refused }
        return Self.urlNames.contains(name) ? .url(isBegun: isValueBegun) : .attribute
    }

    private static let refusedNames = Set(["style", "srcdoc", "srcset"].map { Array($0.utf8) })
    private static let urlNames = Set(
        [
            "href", "src", "action", "formaction", "poster", "cite", "data", "xlink:href", "manifest", "ping",
            "background",
        ]
        .map { Array($0.utf8) })

    /// Notes that a value was written.
    mutating func noteValue() { isValueBegun = true }

    /// Reads a literal.
    mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) {
        for byte in bytes { read(byte) }
    }

    private mutating func read(_ byte: UInt8) {
        let isSpace = byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D || byte == 0x0C
        switch state {
        case .text:
            if byte == UInt8(ascii: "<") { (state, tag) = (.tagName, []) }
        case .tagName:
            switch byte {
            case UInt8(ascii: ">"): endTag()
            case UInt8(ascii: "!") where tag.isEmpty: (state, tail) = (.declaration, [])
            case _ where isSpace: state = tag.isEmpty ? .text : .tag
            default: tag.append(lowercased(byte))
            }
        case .tag:
            if byte == UInt8(ascii: ">") {
                endTag()
            } else if !isSpace, byte != UInt8(ascii: "/") {
                (state, name) = (.attributeName, [lowercased(byte)])
            }
        case .attributeName:
            switch byte {
            case UInt8(ascii: "="): (state, isValueBegun) = (.beforeValue, false)
            case UInt8(ascii: ">"): endTag()
            case _ where isSpace: state = .tag
            default: name.append(lowercased(byte))
            }
        case .beforeValue:
            let isQuote = byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
            if isQuote { state = .value(quote: byte) } else if !isSpace { state = .bareValue }
        case .value(let quote):
            if byte == quote { state = .tag } else { isValueBegun = true }
        case .bareValue:
            if byte == UInt8(ascii: ">") { endTag() } else if isSpace { state = .tag }
        case .declaration:
            if byte == UInt8(ascii: "-"), tail == [byte] { (state, tail) = (.comment, []) } else { tail = [byte] }
            if byte == UInt8(ascii: ">") { state = .text }
        case .comment:
            keep(byte, 3)
            if tail == Array("-->".utf8) { state = .text }
        case .script, .style:
            keep(lowercased(byte), tag.count + 3)
            if tail == Array("</".utf8) + tag + Array(">".utf8) { state = .text }
        }
    }

    private mutating func endTag() {
        tail = []
        switch tag {
        case Array("script".utf8): state = .script
        case Array("style".utf8): state = .style
        default: state = .text
        }
    }

    private mutating func keep(_ byte: UInt8, _ count: Int) {
        tail.append(byte)
        if tail.count > count { tail.removeFirst() }
    }

    private func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}
