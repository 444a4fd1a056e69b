/// A view of a handle's core with the type of its data.
struct TypedFragmentCore<Fragment: GraphQLFragment>: HandleCore {
    typealias Data = Fragment.Data

    let core: FragmentCore

    var environment: RelayEnvironment { core.environment }
    var observers: Observers { core.observers }
    var component: String { core.component }

    func reading() -> Reading { core.reading() ?? .nothing }
}
