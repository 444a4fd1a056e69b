import Baton
import BatonTesting

/// The embedded GraphQL service: the schema file, resolvers for the data, and the state that users change.
public enum SagaService {
    /// The schema, for a service or a world of it.
    public static var schema: String { String(decoding: PackageResources.schema_graphql, as: UTF8.self) }

    /// Makes a service with this state.
    public static func make(_ state: SagaState = SagaState()) throws(LocalSchemaError) -> LocalService {
        let index = SagaIndex()
        var resolvers = LocalResolvers()
        addTypes(to: &resolvers)
        addQuery(to: &resolvers, index, state)
        addFilm(to: &resolvers, index, state)
        addCharacter(to: &resolvers, index)
        addOthers(to: &resolvers, index)
        addMutation(to: &resolvers, index, state)
        resolvers.field("Subscription", "reviewAdded", of: Saga.Review.self) { review, _ in review }
        return try LocalService(schema: schema, resolvers: resolvers)
    }

    /// Cuts out a page; the cursor of a node is its identifier.
    static func page<Node: Sendable>(
        _ nodes: [Node],
        _ context: LocalFieldContext,
        id: @escaping (Node) -> String
    ) throws -> LocalConnection<Node> {
        try LocalConnection(nodes, context.arguments, cursor: id)
    }

    /// Rounds half up.
    static func rounded(_ value: Double, digits: Int) -> Double {
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        return (value * scale + 0.5).rounded(.down) / scale
    }

    /// A length in the unit of the field's argument.
    static func length(_ meters: Double?, _ context: LocalFieldContext) -> Double? {
        meters.map { rounded(context.arguments.string("unit") == "FOOT" ? $0 / 0.3048 : $0, digits: 2) }
    }

    private static func addTypes(to resolvers: inout LocalResolvers) {
        // One Swift type represents three object types, so that each value names its type.
        for abstract in ["Node", "Character", "SearchResult"] {
            resolvers.resolveType(abstract) { ($0 as? Saga.Character)?.kind.rawValue }
        }
        resolvers.object("Planet", Saga.Planet.self)
        resolvers.object("Species", Saga.Species.self)
        resolvers.object("Starship", Saga.Starship.self)
        resolvers.object("Review", Saga.Review.self)
        resolvers.object("Film", Saga.Film.self)
    }
}
