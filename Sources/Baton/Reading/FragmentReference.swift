/// Points at a record through a fragment, without showing the fragment's fields.
///
/// A spread yields it. A component turns it into a `FragmentHandle`, or reads it once with `environment.read`. It carries the operation that
/// fetched it, with its variables. Two references are equal if they point at the same record and came with the same operation and variables, whatever
/// has changed in the record meanwhile.
public struct FragmentReference<Fragment: GraphQLFragment>: Sendable, Hashable {
    let target: GeneratedCode.FragmentTarget

    /// Wraps what a reader found at a spread.
    public init(_ target: GeneratedCode.FragmentTarget) { self.target = target }

    /// The operation through which the record was reached.
    package var owner: BoundOperation { target.owner }
    /// The record, in the store of the owner.
    package var record: RecordID { target.record }
    /// The identity of the record, for logs and local updates.
    public var dataID: DataID { target.owner.store.names.dataID(of: target.record) }
}

extension GeneratedCode {
    /// A fragment reference before it has its type.
    public struct FragmentTarget: Sendable, Hashable {
        let owner: BoundOperation
        let record: RecordID

        public static func == (left: FragmentTarget, right: FragmentTarget) -> Bool {
            left.record == right.record && left.owner === right.owner
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(record)
            hasher.combine(ObjectIdentifier(owner))
        }
    }
}
