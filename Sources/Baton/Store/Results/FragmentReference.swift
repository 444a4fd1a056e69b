/// Points at a record through a fragment, without showing the fragment's fields.
///
/// A fragment spread in `Data` is a reference. A component makes a `FragmentHandle` from it, or reads it once with
/// `environment.read`.
///
/// The reference carries the operation that fetched the record, with its variables, and the arguments that the spread
/// passes to the fragment. Two references are equal if they point at the same record and came with the same operation,
/// variables and arguments, even if the record has changed meanwhile.
///
/// The reference does not keep the record alive. Once the record was collected, the reference points at nothing, even
/// if a later response brings the record again. The reference does not keep its environment alive either. Once the
/// environment is gone, a read of the reference fails with ``RelayError/foreignReference(fragment:)``.
public struct FragmentReference<Fragment: GraphQLFragment>: Sendable, Hashable {
    let target: GeneratedCode.FragmentTarget

    /// Wraps the target that a reader found at a spread.
    public init(_ target: GeneratedCode.FragmentTarget) { self.target = target }

    /// The operation through which the record was reached.
    package var owner: BoundOperation { target.owner }
    /// The record, in the store of the owner.
    package var record: RecordID { target.record }
    /// The identity of the record, for logs and local updates; empty once the record was collected or the environment
    /// is gone.
    public var dataID: DataID {
        guard let source = target.owner.source else { return "" }
        let hold = NumberHold(source.names)
        defer { withExtendedLifetime(hold) {} }
        guard source.records.slot(of: target.record).collection == target.collection else { return "" }
        return source.names.dataID(of: target.record)
    }
}

extension GeneratedCode {
    /// A fragment reference without the fragment's type.
    public struct FragmentTarget: Sendable, Hashable {
        /// The operation, and the arguments of the spread.
        let use: OperationUse
        var owner: BoundOperation { use.operation }
        let record: RecordID
        /// The last collection that had removed a record with this number when the reference was made.
        let collection: UInt32

        /// Returns true for the same record, reached through the same operation and variables by a spread that passes
        /// the same arguments. The content of the record does not count.
        public static func == (left: FragmentTarget, right: FragmentTarget) -> Bool {
            left.record == right.record && left.collection == right.collection
                && (left.use === right.use
                    || left.owner === right.owner && left.use.arguments == right.use.arguments)
        }

        /// Hashes the record, the operation and the arguments.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(record)
            hasher.combine(ObjectIdentifier(owner))
            if let arguments = use.arguments { hasher.combine(arguments) }
        }
    }
}

/// Points at a record through a fragment with `@defer`, which may arrive later than the record.
///
/// Until the fragment's part of the response has arrived, its data is `.loading`: in a `FragmentHandle`, and in
/// `environment.result(of:)`. The enclosing data does not count as incomplete meanwhile. A server that does not support
/// `@defer` sends the fragment together with the record.
public struct DeferredReference<Fragment: GraphQLFragment>: Sendable, Hashable {
    /// The same reference without the loading state.
    public let reference: FragmentReference<Fragment>

    /// Makes a reference that can be loading.
    public init(_ reference: FragmentReference<Fragment>) { self.reference = reference }

    /// The identity of the record, for logs and local updates; empty once the record was collected.
    public var dataID: DataID { reference.dataID }
}

extension GeneratedCode {
    /// The references of the fragments that are spread in a selection set.
    ///
    /// Generated code adds a property for each spread, in an extension for the struct of the set.
    public struct FragmentReferences<__Selections: GeneratedCode.SelectionSet>: Sendable, Equatable {
        /// The row of the object in which the fragments are spread.
        // swift-format-ignore: AlwaysUseLowerCamelCase
        public let __row: GeneratedCode.Row

        /// Compares the references.
        public static func == (left: Self, right: Self) -> Bool { left.__row.hasEqualSpreads(to: right.__row) }
    }
}
