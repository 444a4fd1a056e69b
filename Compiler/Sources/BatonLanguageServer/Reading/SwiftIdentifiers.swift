/// The identifiers of a Swift source, outside comments and strings. Those in interpolations count.
///
/// This is not a parser: regex literals are read as code.
struct SwiftIdentifiers {
    struct Identifier {
        let range: Range<Int>
        /// Whether a dot stands before the identifier.
        let isMember: Bool
        /// The number of brackets that are open at the identifier.
        let depth: Int
        /// The first byte after the identifier that is not white space; zero at the end of the source.
        let following: UInt8
    }

    let bytes: [UInt8]
    private(set) var all: [Identifier] = []
    private var position = 0
    private var depth = 0
    /// The strings in whose interpolations the position is. Each has the number of its pound signs and quotation marks,
    /// and the depth of brackets at which its interpolation ends.
    private var strings: [(pounds: Int, quotes: Int, depth: Int)] = []

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        while position < bytes.count { readToken() }
    }

    func text(_ identifier: Identifier) -> ArraySlice<UInt8> { bytes[identifier.range] }

    func isNamed(_ identifier: Identifier, _ name: String) -> Bool { text(identifier).elementsEqual(name.utf8) }

    private func peek(_ offset: Int) -> UInt8 {
        position + offset < bytes.count ? bytes[position + offset] : 0
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
            || byte >= 0x80
    }

    private mutating func readToken() {
        let byte = peek(0)
        switch byte {
        case UInt8(ascii: "/") where peek(1) == byte:
            while position < bytes.count, peek(0) != 0x0A { position += 1 }
        case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): skipComment()
        case UInt8(ascii: "\""): beginString(pounds: 0)
        case UInt8(ascii: "#"):
            let pounds = bytes[position...].prefix { $0 == byte }.count
            position += pounds
            if peek(0) == UInt8(ascii: "\"") { beginString(pounds: pounds) }
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
            depth += 1
            position += 1
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
            depth -= 1
            position += 1
            if let string = strings.last, depth == string.depth {
                strings.removeLast()
                readString(pounds: string.pounds, quotes: string.quotes)
            }
        case _ where Self.isNameByte(byte): readName()
        default: position += 1
        }
    }

    private mutating func skipComment() {
        var open = 0
        repeat {
            if peek(0) == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
                open += 1
                position += 2
            } else if peek(0) == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
                open -= 1
                position += 2
            } else {
                position += 1
            }
        } while open > 0 && position < bytes.count
    }

    private mutating func readName() {
        let start = position
        while position < bytes.count, Self.isNameByte(bytes[position]) { position += 1 }
        var before = start
        while before > 0, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[before - 1]) { before -= 1 }
        let isMember = before > 0 && bytes[before - 1] == UInt8(ascii: ".")
        var behind = position
        while behind < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[behind]) { behind += 1 }
        all.append(
            Identifier(
                range: start..<position, isMember: isMember, depth: depth,
                following: behind < bytes.count ? bytes[behind] : 0))
    }

    private mutating func beginString(pounds: Int) {
        let quotes = peek(1) == UInt8(ascii: "\"") && peek(2) == UInt8(ascii: "\"") ? 3 : 1
        position += quotes
        readString(pounds: pounds, quotes: quotes)
    }

    /// Reads the content of a string to its end or to an interpolation.
    private mutating func readString(pounds: Int, quotes: Int) {
        func arePounds(_ offset: Int) -> Bool {
            (0..<pounds).allSatisfy { peek(offset + $0) == UInt8(ascii: "#") }
        }
        while position < bytes.count {
            switch peek(0) {
            case UInt8(ascii: "\\") where arePounds(1):
                position += 1 + pounds
                if peek(0) == UInt8(ascii: "(") {
                    strings.append((pounds, quotes, depth))
                    depth += 1
                    position += 1
                    return
                }
                position += 1
            case UInt8(ascii: "\"")
            where (0..<quotes).allSatisfy({ peek($0) == UInt8(ascii: "\"") }) && arePounds(quotes):
                position += quotes + pounds
                return
            case 0x0A where quotes == 1: return
            default: position += 1
            }
        }
    }
}
