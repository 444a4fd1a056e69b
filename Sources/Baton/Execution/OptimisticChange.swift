/// What a mutation is expected to change, shown until its answer is in.
///
/// It stands on top of what the store holds and is taken away in the publish in which the answer lands, or when the
/// mutation fails or is cancelled. Whatever lands meanwhile lands below it.
public struct OptimisticChange<Operation: GraphQLOperation>: Sendable {
    enum Kind: Sendable {
        case response(JSONValue)
        case update(@Sendable (RecordSourceProxy) throws -> Void)
    }

    let kind: Kind

    /// The answer that is expected: the object that stands under `data`, with the response keys of the operation.
    ///
    /// Objects that the operation selects through an interface or a union need their `__typename`. What is left out is
    /// left as it is. A name that the operation does not select makes `commit` throw before anything is sent; a value
    /// that does not fit its field changes nothing, and the log says so.
    public static func response(_ data: JSONValue) -> OptimisticChange { .init(kind: .response(data)) }

    /// The answer that is expected, as a value.
    public static func response(_ data: some GraphQLRawResponse<Operation>) -> OptimisticChange {
        .init(kind: .response(data.jsonValue))
    }

    /// An update of records.
    ///
    /// It runs again whenever something that it has read or written changes below it, on any thread and outside every
    /// lock, so it must do nothing but read and change records. Marking records or the store as stale is ignored. While
    /// it throws it changes nothing, and the log says so.
    public static func update(
        _ body: @escaping @Sendable (RecordSourceProxy) throws -> Void
    ) -> OptimisticChange { .init(kind: .update(body)) }
}

/// The data of an answer as a value that can be made by hand: what a server would send under `data`, fragments
/// included.
public protocol GraphQLRawResponse<Operation>: Sendable {
    /// The operation that is answered.
    associatedtype Operation: GraphQLOperation

    /// The object that stands under `data`.
    var jsonValue: JSONValue { get }
}
