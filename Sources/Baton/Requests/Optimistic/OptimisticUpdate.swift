/// The expected effect of a mutation, shown until its response has arrived.
///
/// The change is shown on top of the store's data. It is removed in the publish in which the response lands, or when
/// the mutation fails or is cancelled. Changes that land meanwhile land below it.
public struct OptimisticUpdate<Operation: GraphQLOperation>: Sendable {
    indirect enum Kind: Sendable {
        case response(JSONValue)
        case update(@Sendable (RecordSourceProxy) throws -> Void)
    }

    let kind: Kind

    /// The optimistic response: the object under `data`, with the response keys of the operation.
    ///
    /// Objects that the operation selects through an interface or a union need their `__typename`. Omitted fields keep
    /// their values, but an object needs its `id` if the operation selects one: without it, the object would be a
    /// second record. A missing `id`, and a name that the operation does not select, make `commit` throw
    /// ``RelayError/optimisticResponse(_:)`` before the request is sent. If a value does not fit its field, the change
    /// has no effect, which is reported to the log.
    public static func response(_ data: JSONValue) -> OptimisticUpdate { .init(kind: .response(data)) }

    /// The optimistic response, as a value.
    public static func response(_ data: some GeneratedCode.RawResponse<Operation>) -> OptimisticUpdate {
        .init(kind: .response(data.jsonValue))
    }

    /// An update of records.
    ///
    /// The update runs again whenever data that it has read or written changes below it, on any thread while no lock is
    /// held. It must only read and change records. Invalidations by it are ignored. If it throws, it has no effect,
    /// which is reported to the log.
    public static func update(
        _ body: @escaping @Sendable (RecordSourceProxy) throws -> Void
    ) -> OptimisticUpdate { .init(kind: .update(body)) }
}

extension OptimisticUpdate where Operation: GeneratedCode.OperationWithRawResponse {
    /// The optimistic response, as a value of the type that `@raw_response_type` asks for.
    ///
    ///     optimistic: .response(.init(like: .init(film: .init(isFavorite: true, id: "1"))))
    ///
    /// A field that may be null can be omitted; it then keeps its value.
    public static func response(_ data: Operation.RawResponse) -> OptimisticUpdate {
        .init(kind: .response(data.jsonValue))
    }
}
