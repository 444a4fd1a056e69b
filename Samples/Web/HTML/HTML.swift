/// A piece of HTML. Text becomes HTML only by escaping, so that no data can add markup.
///
/// A literal is markup. In `"<b>\(title)</b>"` the text `title` is escaped, and a value of type `HTML` is kept:
///
///     let row: HTML = "<li>\(film.title) \(stars)</li>"
struct HTML: Hashable, Sendable {
    private(set) var text: String

    /// Escapes a text for elements and for attributes in quotes.
    init(escaping text: String) {
        var escaped = ""
        escaped.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            // A parser would replace this character by U+FFFD, with an error.
            case "\0": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        self.text = escaped
    }

    private init(markup: String) { text = markup }

    /// JSON for a `script` element of a data type. `<` and `&` are written as escapes of JSON, so that no text in the
    /// JSON ends the element.
    static func json(_ bytes: [UInt8]) -> HTML {
        var escaped: [UInt8] = []
        escaped.reserveCapacity(bytes.count)
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "<"): escaped += "\\u003c".utf8
            case UInt8(ascii: ">"): escaped += "\\u003e".utf8
            case UInt8(ascii: "&"): escaped += "\\u0026".utf8
            default: escaped.append(byte)
            }
        }
        return HTML(markup: String(decoding: escaped, as: UTF8.self))
    }

    /// A path of a URL below the root, whose segments may contain any text.
    static func path(_ segments: String...) -> String {
        segments.map { segment in
            var encoded = "/"
            for byte in segment.utf8 {
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"):
                    encoded.unicodeScalars.append(Unicode.Scalar(byte))
                default:
                    let digits = String(byte, radix: 16, uppercase: true)
                    encoded += byte < 16 ? "%0\(digits)" : "%\(digits)"
                }
            }
            return encoded
        }.joined()
    }
}

extension HTML: ExpressibleByStringInterpolation {
    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

        mutating func appendLiteral(_ literal: String) { text += literal }
        mutating func appendInterpolation(_ html: HTML) { text += html.text }
        mutating func appendInterpolation(_ parts: [HTML]) { for part in parts { text += part.text } }
        mutating func appendInterpolation(_ text: String) { self.text += HTML(escaping: text).text }
        mutating func appendInterpolation(_ number: Int) { text += String(number) }
        mutating func appendInterpolation(_ number: Double) { text += String(number) }
    }

    init(stringLiteral value: String) { self.init(markup: value) }
    init(stringInterpolation: StringInterpolation) { self.init(markup: stringInterpolation.text) }
}
