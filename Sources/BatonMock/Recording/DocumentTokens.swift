/// The tokens of a GraphQL document, as ranges of its bytes.
///
/// It divides any text, and finds no mistakes: what is no token is one of a single byte.
struct DocumentTokens {
    private(set) var ranges: [Range<Int>] = []

    init(_ text: [UInt8]) {
        var index = 0
        while index < text.count {
            let start = index
            switch text[index] {
            case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","):
                index += 1
                continue
            case UInt8(ascii: "#"):
                while index < text.count, text[index] != 0x0A, text[index] != 0x0D { index += 1 }
                continue
            case UInt8(ascii: "\""): index = Self.endOfString(text, from: index)
            case UInt8(ascii: "."): while index < text.count, text[index] == UInt8(ascii: ".") { index += 1 }
            case let byte where Self.isWord(byte) || byte == UInt8(ascii: "-"):
                index += 1
                while index < text.count, Self.isWord(text[index]) || Self.isInNumber(text, index, from: start) {
                    index += 1
                }
            default: index += 1
            }
            ranges.append(start..<index)
        }
    }

    private static func endOfString(_ text: [UInt8], from start: Int) -> Int {
        let quotation = UInt8(ascii: "\"")
        let isBlock = text[start...].prefix(3).elementsEqual([quotation, quotation, quotation])
        var index = start + (isBlock ? 3 : 1)
        while index < text.count {
            if isBlock, text[index...].prefix(4).elementsEqual([UInt8(ascii: "\\"), quotation, quotation, quotation]) {
                index += 4
            } else if isBlock, text[index...].prefix(3).elementsEqual([quotation, quotation, quotation]) {
                return index + 3
            } else if !isBlock, text[index] == UInt8(ascii: "\\") {
                index += 2
            } else if !isBlock, text[index] == quotation || text[index] == 0x0A {
                return index + 1
            } else {
                index += 1
            }
        }
        return min(index, text.count)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...0xFF:
            true
        default: false
        }
    }

    /// Whether a dot or a sign belongs to a number that began before.
    private static func isInNumber(_ text: [UInt8], _ index: Int, from start: Int) -> Bool {
        let first = text[start]
        guard (48...57).contains(first) || first == UInt8(ascii: "-") else { return false }
        switch text[index] {
        case UInt8(ascii: "."): return true
        case UInt8(ascii: "+"), UInt8(ascii: "-"):
            return [UInt8(ascii: "e"), UInt8(ascii: "E")].contains(text[index - 1])
        default: return false
        }
    }
}
