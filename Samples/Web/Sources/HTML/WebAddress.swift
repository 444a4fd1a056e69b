/// An address of this site: a path of segments and a query, each of which may be any text.
///
///     WebAddress("films", film.id, "cast").with("after", cursor)
public struct WebAddress: Sendable, Hashable {
    /// The address, as a link and the header `Location` have it.
    public private(set) var text: String

    /// Makes a path. The first segment is the program's own.
    public init(_ first: StaticString, _ segments: String...) {
        text = "/" + Self.encoded("\(first)") + segments.map { "/" + Self.encoded($0) }.joined()
    }

    /// The address of the first page.
    public static let home = WebAddress("")

    /// Makes a path of these segments, without the empty ones.
    public init(segments: [String]) {
        text = segments.filter { !$0.isEmpty }.map { "/" + Self.encoded($0) }.joined()
        if text.isEmpty { text = "/" }
    }

    /// The length of the longest address that a visitor may send, in bytes.
    public static let longest = 2_000

    /// Takes an address that a visitor has sent, such as the page to go back to; nil if it leads away from this site,
    /// or is too long.
    public init?(sent text: String) {
        guard text.utf8.count <= Self.longest else { return nil }
        let allowed = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }
        guard allowed, text.hasPrefix("/"), !text.hasPrefix("//") else { return nil }
        self.text = text
    }

    /// The address with another parameter in its query; the same address for nil.
    public func with(_ name: StaticString, _ value: String?) -> WebAddress {
        guard let value else { return self }
        var address = self
        address.text += (text.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + "\(name)=" + Self.encoded(value)
        return address
    }

    /// The address of a place in the page.
    public func at(_ fragment: String) -> WebAddress {
        var address = self
        address.text += "#" + Self.encoded(fragment)
        return address
    }

    // MARK: - Texts in URLs

    /// The text with everything encoded that means something in a URL.
    ///
    /// A colon may stay in a segment of a path. At the beginning of a URL it would make a scheme of what stands before.
    static func encoded(_ text: String, keepingColons: Bool = true) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"),
                UInt8(ascii: "."):
                output.append(byte)
            case UInt8(ascii: ":") where keepingColons: output.append(byte)
            default:
                output += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }

    /// A URL from outside; `#` unless it is of the schemes that a link may have, or stays on this site.
    ///
    /// A browser ignores spaces and control characters at several places of a URL, and takes `\` for `/`. So a URL with
    /// any of them is refused.
    static func checked(_ url: String) -> String {
        guard url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }) else { return "#" }
        let isLocal = url.hasPrefix("/") && !url.hasPrefix("//") || url.hasPrefix("#") || url.hasPrefix("?")
        let start = url.prefix(8).lowercased()
        let isKnown = ["https://", "http://", "mailto:"].contains { start.hasPrefix($0) }
        return isLocal || isKnown ? url : "#"
    }
}
