/// The directives of a field `Cache-Control` (RFC 9111, 5.2, and RFC 5861).
///
/// Unknown directives are ignored. A time that is not a number counts as 0, and a time beyond 68 years counts as 68
/// years. Of several equal directives, the shortest time counts. `private` and `no-cache` with a list of fields mean
/// the whole response.
struct CacheControl: Sendable, Hashable {
    private(set) var maxAge: Duration?
    private(set) var sharedMaxAge: Duration?
    private(set) var staleWhileRevalidate: Duration?
    private(set) var staleIfError: Duration?
    private var names: Set<String> = []

    /// True if there is no directive.
    var isEmpty: Bool { self == CacheControl(nil) }
    var isNoStore: Bool { names.contains("no-store") }
    var isNoCache: Bool { names.contains("no-cache") }
    var isPrivate: Bool { names.contains("private") }
    var isPublic: Bool { names.contains("public") }
    var isMustRevalidate: Bool { names.contains("must-revalidate") }
    var isProxyRevalidate: Bool { names.contains("proxy-revalidate") }

    init(_ field: String?) {
        for directive in Self.directives(Array((field ?? "").utf8)) {
            let parts = directive.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = Self.text(parts.first ?? []).lowercased()
            let value = parts.count > 1 ? Self.text(parts[1]) : nil
            switch name {
            case "": break
            case "max-age": Self.add(value, to: &maxAge)
            case "s-maxage": Self.add(value, to: &sharedMaxAge)
            case "stale-while-revalidate": Self.add(value, to: &staleWhileRevalidate)
            case "stale-if-error": Self.add(value, to: &staleIfError)
            default: names.insert(name)
            }
        }
    }

    /// Divides a field at its commas, except within quotes.
    private static func directives(_ field: [UInt8]) -> [ArraySlice<UInt8>] {
        var directives: [ArraySlice<UInt8>] = []
        var (start, isQuoted, isEscaped) = (0, false, false)
        for (index, byte) in field.enumerated() {
            if isEscaped {
                isEscaped = false
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == UInt8(ascii: ","), !isQuoted {
                directives.append(field[start..<index])
                start = index + 1
            }
        }
        return directives + [field[start...]]
    }

    /// The text without the space and the quotes around it.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        let outer: Set<UInt8> = [0x20, 0x09, 0x22]
        let inner = bytes.drop { outer.contains($0) }
        guard let last = inner.lastIndex(where: { !outer.contains($0) }) else { return "" }
        return String(decoding: inner[...last], as: UTF8.self)
    }

    private static func add(_ value: String?, to time: inout Duration?) {
        let new = Duration.seconds(seconds(value))
        time = min(time ?? new, new)
    }

    /// Reads a number of seconds (RFC 9111, 1.2.2).
    static func seconds(_ value: String?) -> Int {
        guard let value, !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return 0 }
        return min(Int(value) ?? .max, 1 << 31)
    }
}
