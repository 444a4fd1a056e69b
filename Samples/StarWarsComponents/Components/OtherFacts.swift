import Baton

/// What a planet, a species and a starship have in common here: a name, facts, and characters.
public struct OtherFacts: Sendable {
    private static let fragment = graphql(
        """
        fragment OtherFacts_node on Node {
          ... on Planet { name climate terrain residents(first: 20) { ...OtherFacts_characters } }
          ... on Species { name classification language members(first: 20) { ...OtherFacts_characters } }
          ... on Starship { name model manufacturer pilots(first: 20) { ...OtherFacts_characters } }
        }
        """
    )

    private static let list = graphql(
        "fragment OtherFacts_characters on CharacterConnection { edges { node { id ...CharacterRow_character } } }")

    public let name: String
    public let facts: [(label: String, text: String)]
    /// The title above the characters.
    public let heading: String
    public let characters: FragmentReference<OtherFacts_characters>

    /// Makes nothing of an object of another type.
    public init?(_ node: OtherFacts_node.Data) {
        let facts: [(label: String, text: String?)]
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
        self.facts = facts.compactMap { fact in fact.text.map { (fact.label, $0) } }
    }
}
