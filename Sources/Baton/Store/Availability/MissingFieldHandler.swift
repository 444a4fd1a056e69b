/// Finds the value of a missing field in another part of the store.
///
/// An example is `film(id: "4")`, if film 4 came with a list and no response ever brought that field.
///
/// Every fetch policy begins with a check of the store. The check calls the handlers for each missing field, in the
/// order of the options, until one gives a response. The response is written into the store, where reads find it.
/// Handlers run on the thread of the check while no lock is held. They must be quick and must not change the store.
public struct MissingFieldHandler: Sendable {
    /// The response of a handler about a field.
    public enum Finding<Value: Sendable>: Sendable {
        /// The handler does not know the value.
        case unknown
        /// The field is null.
        case null
        /// The field has this value.
        case value(Value)
    }

    enum Body: Sendable {
        case linked(@Sendable (MissingFieldHandler.Field) -> Finding<DataID>)
        case plural(@Sendable (MissingFieldHandler.Field) -> Finding<[DataID?]>)
        case scalar(@Sendable (MissingFieldHandler.Field) -> Finding<JSONValue>)
    }

    let body: Body

    /// Makes a handler for fields of one object; the response is the object's record. An unknown record, or a record
    /// whose type does not fit the field, counts as no response. A deleted record counts as null.
    public static func linked(_ body: @escaping @Sendable (MissingFieldHandler.Field) -> Finding<DataID>)
        -> MissingFieldHandler
    {
        MissingFieldHandler(body: .linked(body))
    }

    /// Makes a handler for lists of objects. The response is the list of records, with nil for null items; each record
    /// is judged as in ``linked(_:)``.
    public static func plural(_ body: @escaping @Sendable (MissingFieldHandler.Field) -> Finding<[DataID?]>)
        -> MissingFieldHandler
    {
        MissingFieldHandler(body: .plural(body))
    }

    /// Makes a handler for scalars, enum values and lists of them. A value that does not fit the type of the field
    /// counts as no response.
    public static func scalar(_ body: @escaping @Sendable (MissingFieldHandler.Field) -> Finding<JSONValue>)
        -> MissingFieldHandler
    {
        MissingFieldHandler(body: .scalar(body))
    }

    /// Answers the root field `node(id:)` with the record of that ID, if its type implements `Node`.
    public static let node = MissingFieldHandler.linked { field in
        guard field.parent.dataID == .root, field.name == "node", field.arguments.count == 1 else { return .unknown }
        switch field.arguments["id"] {
        case .string(let id): return .value(DataID(id))
        case .int(let id): return .value(DataID(String(id)))
        default: return .unknown
        }
    }
}
