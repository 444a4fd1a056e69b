public import Baton

/// The reason why a conversion of this module could not read a value from a server.
///
/// The store puts it into a `RelayError.InvalidResponse.conversionFailed` with the scalar and the path of the field.
public struct ConversionError: Error, Sendable, Hashable {
    /// The form that the conversion accepts, in words.
    public var expected: String
    /// The value that the server sent.
    public var found: JSONValue

    /// Makes an error.
    public init(expected: String, found: JSONValue) {
        self.expected = expected
        self.found = found
    }
}

extension ConversionError: CustomStringConvertible {
    /// A description of one line; a long value is cut.
    public var description: String { "expected \(expected), found \(foundInWords)" }

    private var foundInWords: String {
        switch found {
        case .array: "a list"
        case .object: "an object"
        case .string(let text) where text.unicodeScalars.count > 80:
            JSONValue.string(String(String.UnicodeScalarView(text.unicodeScalars.prefix(80)))).text + "..."
        default: found.text
        }
    }
}
