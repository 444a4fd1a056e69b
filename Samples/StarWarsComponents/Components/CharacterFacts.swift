import Baton

/// The facts of a character, which depend on its type.
public enum CharacterFacts {
    private static let fragment = graphql(
        """
        fragment CharacterFacts_character on Character {
          name
          aliases
          ... on Human {
            birthYear
            height
          }
          ... on Droid {
            primaryFunction
            height
          }
          ... on Creature {
            birthYear
            height
          }
        }
        """
    )

    /// The facts that are known, each with its label.
    public static func labelled(_ character: CharacterFacts_character.Data) -> [(label: String, text: String)] {
        let facts: [(label: String, text: String?)] =
            switch character.asCase {
            case .human(let human): [("Born", human.birthYear)]
            case .droid(let droid): [("Built for", droid.primaryFunction)]
            case .creature(let creature): [("Born", creature.birthYear)]
            case .other: []
            }
        let tall = height(of: character).map { "\($0) m" }
        return (facts + [("Height", tall)]).compactMap { fact in fact.text.map { (fact.label, $0) } }
    }

    /// The height in metres.
    public static func height(of character: CharacterFacts_character.Data) -> Double? {
        switch character.asCase {
        case .human(let human): human.height
        case .droid(let droid): droid.height
        case .creature(let creature): creature.height
        case .other: nil
        }
    }
}
