import Baton
import TerminalRenderer

/// What a planet, a species and a starship have in common here: a name, facts, and characters.
struct OtherFacts {
    private static let fragment = graphql(
        """
        fragment OtherFacts_node on Node {
          ... on Planet { name climate terrain residents(first: 20) { ...OtherFacts_characters } }
          ... on Species { name classification language members(first: 20) { ...OtherFacts_characters } }
          ... on Starship { name model manufacturer pilots(first: 20) { ...OtherFacts_characters } }
        }
        """
    )

    private static let characters = graphql(
        "fragment OtherFacts_characters on CharacterConnection { edges { node { id ...CastRow_character } } }")

    let name: String
    private let facts: [(label: String, text: String?)]
    private let heading: String
    let characters: FragmentReference<OtherFacts_characters>

    init?(_ node: OtherFacts_node.Data) {
        switch node.asCase {
        case .planet(let planet):
            (name, facts) = (planet.name, [("Climate", planet.climate), ("Terrain", planet.terrain)])
            (heading, characters) = ("Home of", planet.residents.fragments.otherFacts_characters)
        case .species(let species):
            (name, facts) = (species.name, [("Class", species.classification), ("Language", species.language)])
            (heading, characters) = ("Members", species.members.fragments.otherFacts_characters)
        case .starship(let ship):
            (name, facts) = (ship.name, [("Model", ship.model), ("Made by", ship.manufacturer)])
            (heading, characters) = ("Pilots", ship.pilots.fragments.otherFacts_characters)
        case .other: return nil
        }
    }

    /// The facts, and the title above the characters.
    var element: any Element {
        Column {
            for fact in facts { fact.text.map { Row.labelled(fact.label, $0) } }
            Spacer.rows(1)
            Text.heading(heading)
        }
        .padding(horizontal: 1)
    }
}
