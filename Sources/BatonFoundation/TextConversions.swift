public import Baton
public import Foundation

/// A `URL` as text, relative or absolute.
public enum URLText: ScalarConversion {
    /// Reads a text and percent-encodes characters that a URL cannot hold.
    ///
    /// - Throws: ``ConversionError``.
    public static func decode(_ json: JSONValue) throws -> URL {
        if case .string(let text) = json, let url = URL(string: text) { return url }
        throw ConversionError(expected: #"a URL such as "https://example.com/a""#, found: json)
    }

    /// Writes the URL with its base.
    public static func encode(_ value: URL) -> JSONValue { .string(value.absoluteString) }
}

/// A `UUID` as text of 36 characters.
public enum UUIDText: ScalarConversion {
    /// Reads upper and lower case letters.
    ///
    /// - Throws: ``ConversionError``.
    public static func decode(_ json: JSONValue) throws -> UUID {
        if case .string(let text) = json, let uuid = UUID(uuidString: text) { return uuid }
        throw ConversionError(expected: #"a UUID such as "f81d4fae-7dec-11d0-a765-00a0c91e6bf6""#, found: json)
    }

    /// Writes lower case letters, as RFC 9562 requires.
    public static func encode(_ value: UUID) -> JSONValue { .string(value.uuidString.lowercased()) }
}

/// `Data` as base64 text with padding (RFC 4648, section 4).
public enum Base64Data: ScalarConversion {
    /// Reads base64 without white space.
    ///
    /// - Throws: ``ConversionError``.
    public static func decode(_ json: JSONValue) throws -> Data {
        if case .string(let text) = json, let data = Data(base64Encoded: text) { return data }
        throw ConversionError(expected: "base64", found: json)
    }

    /// Writes base64 without line breaks.
    public static func encode(_ value: Data) -> JSONValue { .string(value.base64EncodedString()) }
}
