/// What makes two bound operations the same.
package struct OperationKey: Hashable, Sendable {
    let artifact: ObjectIdentifier
    let variables: JSONValue
    /// 0 for queries; tells mutations and subscriptions apart.
    let call: UInt64
}
