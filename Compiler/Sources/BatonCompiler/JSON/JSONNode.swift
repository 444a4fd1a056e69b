import BatonDiagnostics

/// A JSON value with its place in the file.
package struct JSONNode: Hashable, Sendable {
    package let value: Value
    let span: Span

    package enum Value: Hashable, Sendable {
        case null
        case boolean(Bool)
        /// A number in the notation of the file.
        case number(String)
        case string(String)
        case array([JSONNode])
        /// The members in the order of the file; no key occurs twice.
        case object([Member])
    }

    package struct Member: Hashable, Sendable {
        package let key: String
        let keySpan: Span
        package let node: JSONNode
    }

    /// The value of a key; nil if this is not an object or does not have the key.
    subscript(key: String) -> JSONNode? {
        guard case .object(let members) = value else { return nil }
        return members.first { $0.key == key }?.node
    }

    /// The name of the value's kind in messages, with an article.
    var kind: String {
        switch value {
        case .null: "null"
        case .boolean: "a Boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "a list"
        case .object: "an object"
        }
    }
}
