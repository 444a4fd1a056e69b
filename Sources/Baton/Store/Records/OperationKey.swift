/// The identity of a bound operation.
///
/// The hash is computed once, because an operation is looked up several times for each request.
package struct OperationKey: Hashable, Sendable {
    let artifact: ObjectIdentifier
    let variables: JSONValue
    /// 0 for queries; distinguishes the calls of mutations and subscriptions.
    let call: UInt64
    private let hash: Int

    init(artifact: ObjectIdentifier, variables: JSONValue, call: UInt64) {
        self.artifact = artifact
        self.variables = variables
        self.call = call
        var hasher = Hasher()
        hasher.combine(artifact)
        hasher.combine(call)
        hasher.combine(variables)
        hash = hasher.finalize()
    }

    package static func == (left: OperationKey, right: OperationKey) -> Bool {
        left.hash == right.hash && left.artifact == right.artifact && left.call == right.call
            && left.variables == right.variables
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }
}
