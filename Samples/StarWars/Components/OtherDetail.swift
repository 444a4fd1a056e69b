import Baton
import TerminalRenderer

/// A planet, a species or a starship, and the characters that belong to it.
final class OtherDetail: DetailPage {
    private static let query = graphql(
        """
        query OtherDetailQuery($id: ID!) {
          node(id: $id) {
            __typename
            ... on Planet {
              name
              climate
              terrain
              characters: residents(first: 20) {
                edges {
                  node {
                    id
                    ...CastRow_character
                  }
                }
              }
            }
            ... on Species {
              name
              classification
              language
              characters: members(first: 20) {
                edges {
                  node {
                    id
                    ...CastRow_character
                  }
                }
              }
            }
            ... on Starship {
              name
              model
              manufacturer
              characters: pilots(first: 20) {
                edges {
                  node {
                    id
                    ...CastRow_character
                  }
                }
              }
            }
          }
        }
        """
    )

    private unowned let app: App
    private var id: String
    private let thing: QueryHandle<OtherDetailQuery>
    private let rows: FragmentComponent<CastRow_character>
    private let state = ListState()

    init(_ id: String, in app: App) {
        (self.id, self.app) = (id, app)
        thing = QueryHandle(
            in: app.environment, fetchPolicy: .storeOrNetwork, freshness: Freshness(refetchOn: .networkReturned))
        rows = FragmentComponent(in: app.screen, CastRow.draw)
    }

    /// What the three types have in common here.
    private struct Facts {
        var name = ""
        var labelled: [(String, String?)] = []
        var heading = ""
        var characters: [(id: String, row: FragmentReference<CastRow_character>)] = []
    }

    var content: any Element {
        let loaded = thing.loaded(thing.get(id: id, fetchKey: app.fetchKey))
        let facts = Self.facts(of: loaded.data?.node)
        return Box(facts.name, isFocused: app.isDetailFocused) {
            loaded.content { _ in
                for (label, text) in facts.labelled { text.map { Row.labelled(label, $0).padding(horizontal: 1) } }
                if !facts.characters.isEmpty {
                    Spacer.rows(1)
                    Text.heading(facts.heading).padding(horizontal: 1)
                }
                List(
                    facts.characters, state, isFocused: app.isDetailFocused,
                    open: { [app] in app.open(.character(facts.characters[$0].id)) },
                    focus: { [app] in app.isDetailFocused = true }
                ) { [rows] character, row in rows(character.row, row) }
            }
        }
    }

    func show(_ place: Place) -> Bool {
        guard case .other(let id) = place else { return false }
        self.id = id
        state.reset()
        return true
    }

    func retry() {}
}

extension OtherDetail {
    private static func facts(of node: OtherDetailQuery.Data.Node?) -> Facts {
        switch node?.asCase {
        case .planet(let planet):
            Facts(
                name: planet.name, labelled: [("Climate", planet.climate), ("Terrain", planet.terrain)],
                heading: "Home of", characters: planet.characters.nodes.map { ($0.id, $0.fragments.castRow_character) })
        case .species(let species):
            Facts(
                name: species.name, labelled: [("Class", species.classification), ("Language", species.language)],
                heading: "Members", characters: species.characters.nodes.map { ($0.id, $0.fragments.castRow_character) }
            )
        case .starship(let ship):
            Facts(
                name: ship.name, labelled: [("Model", ship.model), ("Made by", ship.manufacturer)], heading: "Pilots",
                characters: ship.characters.nodes.map { ($0.id, $0.fragments.castRow_character) })
        case .other, nil: Facts()
        }
    }
}
