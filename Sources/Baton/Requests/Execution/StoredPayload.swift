/// A payload that is in the store, with the errors, extensions and bodies of its response so far.
struct StoredPayload: Sendable {
    let presence: StagedResponse.DataPresence
    let errors: [GraphQLError]
    let extensions: JSONValue?
    /// The bodies of the payloads so far.
    let bodies: PayloadBodies
    /// True if other payloads may follow.
    let hasNext: Bool
    /// The version in which the payload landed; nil if it has no data.
    var epoch: Epoch?
    /// The data, if the payload has deleted records of its own, which the store does not have any more.
    var data: RowResult?
    /// The operation under whose root an event of a subscription landed; nil for other payloads.
    var event: BoundOperation?

    /// The payload for a caller whose data is in the store already.
    static func stored(errors: [GraphQLError] = [], hasNext: Bool = false) -> StoredPayload {
        StoredPayload(presence: .object, errors: errors, extensions: nil, bodies: PayloadBodies(), hasNext: hasNext)
    }
}
