/// Who or what changed a store; travels with what is staged.
package enum WriteSource: Sendable {
    /// A local update.
    case update
    /// An answer of an operation, with the number of its request; 0 if it had none.
    case answer(GeneratedCode.OperationArtifact, request: Int, OperationKey?)
    /// An optimistic change.
    case optimistic
    /// The end of an optimistic change.
    case revert
    case invalidation
    case missingFieldHandlers
    case restore
    case reset
    case collection
}
