/// The identity of a bound operation.
package struct OperationKey: Hashable, Sendable {
    let artifact: ObjectIdentifier
    let variables: JSONValue
    /// 0 for queries; distinguishes the calls of mutations and subscriptions.
    let call: UInt64
}
