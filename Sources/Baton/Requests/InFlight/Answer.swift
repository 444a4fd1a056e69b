/// An answer that has landed in the store.
struct Answer: Sendable {
    let presence: StagedResponse.DataPresence
    let errors: [GraphQLError]
    let extensions: JSONValue?
    /// The bodies of the payloads that make up the answer.
    let bodies: PayloadBodies
    let hasNext: Bool
    /// The version in which the answer's data landed; nil if it has none.
    var epoch: Epoch?
    /// The operation under whose root an event of a subscription landed; nil for other answers.
    var event: BoundOperation?
}
