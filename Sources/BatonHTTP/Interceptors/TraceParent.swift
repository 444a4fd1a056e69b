public import Baton

/// The place of a request in a distributed trace (W3C Trace Context, section 3.2).
public struct TraceParent: Sendable, Hashable {
    /// The upper and lower half of the trace's id; one of them is not 0.
    public let traceID: (UInt64, UInt64)
    /// The id of the span; not 0.
    public let spanID: UInt64
    /// True if the span is recorded.
    public let isSampled: Bool

    /// Makes the place of a request from its parts; nil if an id is 0, which is not a valid id.
    public init?(traceID: (UInt64, UInt64), spanID: UInt64, isSampled: Bool) {
        guard spanID != 0, traceID.0 | traceID.1 != 0 else { return nil }
        self.traceID = traceID
        self.spanID = spanID
        self.isSampled = isSampled
    }

    /// Reads the value of a header `traceparent`; nil if it is malformed. For a later version of the header, the known
    /// parts are read.
    public init?(_ header: String) {
        let bytes = Array(header.utf8)
        let dash = UInt8(ascii: "-")
        guard bytes.count >= 55, bytes[2] == dash, bytes[35] == dash, bytes[52] == dash,
            let version = Self.number(bytes[0..<2]), version != 0xFF,
            bytes.count == 55 || (version > 0 && bytes[55] == dash),
            let high = Self.number(bytes[3..<19]), let low = Self.number(bytes[19..<35]),
            let span = Self.number(bytes[36..<52]), let flags = Self.number(bytes[53..<55])
        else { return nil }
        self.init(traceID: (high, low), spanID: span, isSampled: flags & 1 == 1)
    }

    /// The value of a header `traceparent`.
    public var header: String {
        "00-\(Self.text(traceID.0))\(Self.text(traceID.1))-\(Self.text(spanID))-0\(isSampled ? 1 : 0)"
    }

    public static func == (left: TraceParent, right: TraceParent) -> Bool {
        left.traceID == right.traceID && left.spanID == right.spanID && left.isSampled == right.isSampled
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(traceID.1)
        hasher.combine(spanID)
    }

    /// Reads lower-case hexadecimal digits, at most 16.
    private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
        var number: UInt64 = 0
        for digit in digits {
            switch digit {
            case 0x30...0x39: number = number << 4 | UInt64(digit - 0x30)
            case 0x61...0x66: number = number << 4 | UInt64(digit - 0x61 + 10)
            default: return nil
            }
        }
        return number
    }

    private static func text(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// The key of the trace in a request's context. A server that renders pages can set the trace of the page here.
public enum RequestTrace: RequestContextKey {
    /// Nil: by default a request belongs to no trace.
    public static var defaultValue: TraceParent? { nil }
    /// False: the trace of a request does not affect its response.
    public static var affectsResponse: Bool { false }
}
