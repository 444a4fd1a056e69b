import BatonDiagnostics

/// A JSON value with the place where it stands.
struct JSONNode: Hashable, Sendable {
    let value: Value
    let span: Span

    enum Value: Hashable, Sendable {
        case null
        case boolean(Bool)
        /// As it is written; nothing is calculated with it.
        case number(String)
        case string(String)
        case array([JSONNode])
        /// In the order of the file, every key once.
        case object([Member])
    }

    struct Member: Hashable, Sendable {
        let key: String
        let keySpan: Span
        let node: JSONNode
    }

    /// The value of a key, if this is an object that has it.
    subscript(key: String) -> JSONNode? {
        guard case .object(let members) = value else { return nil }
        return members.first { $0.key == key }?.node
    }

    /// What the value is called in a message, with its article.
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
