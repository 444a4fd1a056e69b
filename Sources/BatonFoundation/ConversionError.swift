public import Baton

/// Why a conversion of this module could not read what a server sent.
///
/// The store puts it into a `ResponseError.conversionFailed` with the scalar and the path of the field.
public struct ConversionError: Error, Sendable, Hashable {
    /// What the conversion takes, in words.
    public var expected: String
    /// What came instead.
    public var found: JSONValue

    /// Puts together an error.
    public init(expected: String, found: JSONValue) {
        self.expected = expected
        self.found = found
    }
}

extension ConversionError: CustomStringConvertible {
    /// One line for a person; a long text is cut.
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
