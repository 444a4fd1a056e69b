import BatonDiagnostics

/// A JSON value that knows where it was written.
package struct JSONNode: Sendable {
    package enum Kind: Sendable {
        case null
        case boolean(Bool)
        /// The digits as written.
        case number(String)
        case string(String)
        case array([JSONNode])
        /// In order.
        case object([Member])
    }

    package struct Member: Sendable {
        package let name: String
        package let nameSpan: Span
        package let value: JSONNode
    }

    package let kind: Kind
    package let span: Span

    /// What the value is, in words.
    package var description: String {
        switch kind {
        case .null: "null"
        case .boolean: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
