import BatonTesting
import Foundation

extension SagaService {
    static func addQuery(to resolvers: inout LocalResolvers, _ index: SagaIndex, _ state: SagaState) {
        resolvers.field("Query", "node") { context in
            guard let id = context.arguments.string("id") else { return nil }
            return node(id, index, state)
        }
        resolvers.field("Query", "film") { $0.arguments.string("id").flatMap { index.film($0) } }
        resolvers.field("Query", "character") { $0.arguments.string("id").flatMap { index.character($0) } }
        resolvers.field("Query", "characters") { try page(Saga.characters, $0, id: \.id) }
        resolvers.field("Query", "films") { try page(films($0.arguments, state), $0, id: \.id) }
        resolvers.field("Query", "search") { context in
            let text = folded(context.arguments.string("text") ?? "")
            let found = searchable.filter { folded($0.name).contains(text) }.map(\.node)
            return found.prefix(max(0, context.arguments.int("first") ?? found.count)) as ArraySlice<any Sendable>
        }
    }

    /// The text without letter case and accents, by which a name is found.
    private static func folded(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }

    private static func node(_ id: String, _ index: SagaIndex, _ state: SagaState) -> (any Sendable)? {
        index.film(id) ?? index.character(id) ?? index.planet(id) ?? index.species(id) ?? index.starship(id)
            ?? state.review(id)
    }

    private static func films(_ arguments: LocalArguments, _ state: SagaState) -> [Saga.Film] {
        let filter = arguments.object("filter")
        let trilogy = filter?.string("trilogy")
        let since = filter?.string("releasedSince") ?? ""
        let onlyFavorites = filter?.bool("onlyFavorites") ?? false
        let films = Saga.films.filter { film in
            (trilogy == nil || film.trilogy == trilogy) && film.released >= since
                && (!onlyFavorites || state.isFavorite(film))
        }
        return arguments.string("orderBy") == "RELEASE" ? films.sorted { $0.released < $1.released } : films
    }

    private static var searchable: [(name: String, node: any Sendable)] {
        Saga.films.map { ($0.title, $0) } + Saga.characters.map { ($0.name, $0) } + Saga.planets.map { ($0.name, $0) }
            + Saga.species.map { ($0.name, $0) } + Saga.starships.map { ($0.name, $0) }
    }
}
