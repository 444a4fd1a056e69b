/// Points at a record through a fragment that may arrive later than the record, as `@defer` asks for.
///
/// Until the fragment's part of the answer has arrived, its data is `.loading`: in a `FragmentHandle`, and in
/// `environment.result(of:)`. The enclosing data is not missing anything meanwhile. A server that does not deliver in
/// parts brings the fragment with the record.
public struct DeferredReference<Fragment: GraphQLFragment>: Sendable, Hashable {
    /// The same reference without the possibility to say that the fragment is on its way.
    public let reference: FragmentReference<Fragment>

    /// Makes a reference that can be loading.
    public init(_ reference: FragmentReference<Fragment>) { self.reference = reference }

    /// The identity of the record, for logs and local updates; empty once the record was collected.
    public var dataID: DataID { reference.dataID }
}
