extension HTTPHeaders.Field {
    /// The field as a line without its end.
    ///
    /// - Throws: ``HTTPError/failed(reason:)`` if it would become another field, or several.
    func line() throws(HTTPError) -> String {
        guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenByte),
            value.utf8.allSatisfy({ $0 >= 32 && $0 != 127 || $0 == 9 })
        else { throw .failed(reason: "a header field of the request has characters that it must not have") }
        return "\(name): \(value)"
    }

    /// Whether a name may have this byte (RFC 9110, 5.6.2).
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
