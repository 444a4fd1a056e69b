/// The cause of a change in a store; kept with the staged change.
package enum WriteSource: Sendable {
    /// A local update.
    case update
    /// A response to an operation, with the number of its request; 0 if there was none.
    case response(GeneratedCode.OperationArtifact, request: Int, OperationKey?)
    /// An optimistic change.
    case optimistic
    /// The end of an optimistic change.
    case revert
    case invalidation
    case missingFieldHandlers
    case restore
    case reset
    case collection
    /// The file of the store, from which a record was read.
    case file
}
