/// The expected effect of a mutation, shown until its response has arrived.
///
/// The change is shown on top of the store's data. It is removed in the publish in which the response lands, or when
/// the mutation fails or is cancelled. Changes that land meanwhile land below it.
public struct OptimisticUpdate<Operation: GraphQLOperation>: Sendable {
    /// An update of records that also gets the data of the optimistic response.
    public typealias ResponseUpdate = @Sendable (RecordSourceProxy, Operation.Data?) throws -> Void

    indirect enum Kind: Sendable {
        case response(JSONValue, ResponseUpdate?)
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
    ///
    /// Fields of a client schema extension, which no server knows, can be given too.
    ///
    /// `update` changes further records, for example a count, or a link that no directive makes. It runs after the
    /// directives of the response have been carried out, and is shown with the response and removed with it. It sees
    /// the response in the store, also by ``RecordSourceProxy/rootField(_:arguments:)``. It gets the response's data,
    /// or nil if a non-null field has no value. It must keep to the rules of ``update(_:)``. If it throws, the response
    /// has no effect either.
    public static func response(_ data: JSONValue, update: ResponseUpdate? = nil) -> OptimisticUpdate {
        .init(kind: .response(data, update))
    }

    /// The optimistic response, as a value. `update` changes further records, as with an optimistic response as JSON.
    public static func response(
        _ data: some GeneratedCode.RawResponse<Operation>, update: ResponseUpdate? = nil
    ) -> OptimisticUpdate {
        .init(kind: .response(data.jsonValue, update))
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
    /// A field that may be null can be omitted; it then keeps its value. The same holds for a field of a client schema
    /// extension. `update` changes further records, as with an optimistic response as JSON.
    public static func response(_ data: Operation.RawResponse, update: ResponseUpdate? = nil) -> OptimisticUpdate {
        .init(kind: .response(data.jsonValue, update))
    }
}
