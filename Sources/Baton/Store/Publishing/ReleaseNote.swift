/// A note about an operation that was released.
struct ReleaseNote: Sendable {
    let artifact: GeneratedCode.OperationArtifact
    let key: OperationKey
    let reason: ReleaseReason
    /// The time at which the last holder released the operation.
    let released: Duration
    /// The time at which the store stopped keeping the operation.
    let ended: Duration
}
