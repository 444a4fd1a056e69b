import Baton
import TerminalRenderer

/// One character in a list: an interface, with a fact for each of its types.
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

    private static let columns = Table([.init("Name", .share(3)), .init("Is", .share(2), fromWidth: 26)])

    static func draw(_ character: CastRow_character.Data, _ row: RowState) -> any Element {
        columns.row([Text(character.name, row.isSelected ? .bold : .plain), .faint(description(of: character))])
            .padding(horizontal: 1)
    }

    private static func description(of character: CastRow_character.Data) -> String {
        switch character.asCase {
        case .human(let human): human.homeworld.map { "from \($0.name)" } ?? "human"
        case .droid(let droid): "\(droid.primaryFunction) droid"
        case .creature(let creature): creature.species?.name ?? "unknown species"
        case .other(let character): character.__typename
        }
    }
}
