/// Knows where the store may hold what a field would bring, though no answer ever brought that field.
///
/// `film(id: "4")` is such a field where film 4 came with a list. Handlers are asked by the check that every fetch
/// policy begins with, for each field that is missing, in the order in which the options list them, until one answers;
/// what it answers is written into the store, where reads find it. They run on the thread of the check, outside every
/// lock, must be quick, and must not change the store.
public struct MissingFieldHandler: Sendable {
    /// What a handler says of a field.
    public enum Answer<Value: Sendable>: Sendable {
        /// It does not know.
        case unknown
        /// The field is null.
        case null
        /// The field has this value.
        case value(Value)
    }

    enum Body: Sendable {
        case linked(@Sendable (MissingField) -> Answer<DataID>)
        case plural(@Sendable (MissingField) -> Answer<[DataID?]>)
        case scalar(@Sendable (MissingField) -> Answer<JSONValue>)
    }

    let body: Body

    /// For fields of one object: the answer is its record. One that the store does not hold, or of a type that does not
    /// fit the field, is no answer; a deleted one is null.
    public static func linked(_ body: @escaping @Sendable (MissingField) -> Answer<DataID>) -> MissingFieldHandler {
        MissingFieldHandler(body: .linked(body))
    }

    /// For lists of objects: the answer are their records, nil for null; each as for ``linked(_:)``.
    public static func plural(_ body: @escaping @Sendable (MissingField) -> Answer<[DataID?]>) -> MissingFieldHandler {
        MissingFieldHandler(body: .plural(body))
    }

    /// For scalars, enum values and lists of those. What does not fit the type of the field is no answer.
    public static func scalar(_ body: @escaping @Sendable (MissingField) -> Answer<JSONValue>) -> MissingFieldHandler {
        MissingFieldHandler(body: .scalar(body))
    }

    /// `node(id:)` at the root is the record with that ID, if its type is one that implements `Node`.
    public static let node = MissingFieldHandler.linked { field in
        guard field.parent.dataID == .root, field.name == "node", field.arguments.count == 1 else { return .unknown }
        switch field.arguments["id"] {
        case .string(let id): return .value(DataID(id))
        case .int(let id): return .value(DataID(String(id)))
        default: return .unknown
        }
    }
}

/// A field that the store does not hold, for a handler.
public struct MissingField: Sendable {
    /// The name in the schema.
    public let name: String
    /// The arguments that the operation gives it, variables replaced.
    public let arguments: [String: JSONValue]
    /// The type of the field as in GraphQL: `[Film!]`.
    public let type: String
    /// The record that should hold the field.
    public let parent: StoredRecord

    /// Another record of the store; nil if it is not known or was deleted.
    public func record(_ id: DataID) -> StoredRecord? {
        parent.names.record(id, adding: false).flatMap { StoredRecord($0, parent.records, parent.names) }
    }
}
