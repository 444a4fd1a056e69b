import Baton

/// One character in a list: an interface, with a fact for each of its types.
public enum CharacterRow {
    private static let fragment = graphql(
        """
        fragment CharacterRow_character on Character {
          id
          name
          ... on Human {
            homeworld {
              name
            }
          }
          ... on Droid {
            primaryFunction
          }
          ... on Creature {
            homeworld {
              name
            }
            species {
              name
            }
          }
        }
        """
    )

    /// What the character is, in a few words.
    public static func description(of character: CharacterRow_character.Data) -> String {
        switch character.asCase {
        case .human(let human): human.homeworld.map { "from \($0.name)" } ?? "human"
        case .droid(let droid): "\(droid.primaryFunction) droid"
        case .creature(let creature): creature.species?.name ?? "unknown species"
        case .other(let character): character.__typename
        }
    }

    /// The name of the world that the character comes from.
    public static func home(of character: CharacterRow_character.Data) -> String? {
        character.asHuman?.homeworld?.name ?? character.asCreature?.homeworld?.name
    }
}
