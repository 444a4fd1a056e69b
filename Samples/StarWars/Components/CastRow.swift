import Baton
import TerminalRenderer

/// One character in a cast: an interface, with a fact for each of its types.
enum CastRow {
    private static let fragment = graphql(
        """
        fragment CastRow_character on Character {
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
            species {
              name
            }
          }
        }
        """
    )

    static func render(_ character: CastRow_character.Data, width: Int) -> [StyledLine] {
        var line = StyledLine("   ")
        line.append(character.name, .bold, width: 24)
        line.append(description(of: character), .dim)
        return [line]
    }

    private static func description(of character: CastRow_character.Data) -> String {
        switch character.asCase {
        case .human(let human): human.homeworld.map { "human from \($0.name)" } ?? "human"
        case .droid(let droid): "droid for \(droid.primaryFunction)"
        case .creature(let creature): creature.species?.name ?? "of an unknown species"
        case .other(let character): character.__typename
        }
    }
}
