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
