import BatonDiagnostics

/// A JSON value of a configuration, with the place where it stands.
struct ConfigurationNode: Hashable, Sendable {
    let value: Value
    let span: Span

    enum Value: Hashable, Sendable {
        case null
        case boolean(Bool)
        /// As it is written; a configuration calculates nothing.
        case number(String)
        case string(String)
        case array([ConfigurationNode])
        /// In the order of the file, every key once.
        case object([Member])
    }

    struct Member: Hashable, Sendable {
        let key: String
        let keySpan: Span
        let node: ConfigurationNode
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
