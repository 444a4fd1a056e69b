/// A read of a fragment without a handle of the component. The frame keeps a handle for it.
private struct FragmentRead<Fragment: GraphQLFragment>: ReadingSource {
    let handle: FragmentHandle<Fragment>

    var environment: RelayEnvironment { handle.core.environment }
    var component: String { handle.core.component }
    var subject: DataID? { handle.core.subject }
    var observers: Observers { handle.core.observers }

    func reading() -> Reading { handle.core.reading() }
}

extension Recording {
    /// Notes that a fragment is read without a handle.
    func note<Fragment: GraphQLFragment>(
        _ reference: FragmentReference<Fragment>, in environment: RelayEnvironment
    ) {
        note(FragmentHandle(reference, in: environment))
    }

    /// Notes a read of a handle that only the frame keeps.
    func note<Fragment: GraphQLFragment>(_ handle: FragmentHandle<Fragment>) {
        _ = read(FragmentRead(handle: handle))
    }
}
