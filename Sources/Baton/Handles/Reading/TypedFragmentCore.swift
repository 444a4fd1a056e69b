/// A view of a handle's core with the type of its data.
struct TypedFragmentCore<Fragment: GraphQLFragment>: TypedCore {
    typealias Data = Fragment.Data

    let core: FragmentCore
}
