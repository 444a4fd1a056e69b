import Baton
import TerminalRenderer

/// The facts of a character, which depend on its type.
enum CharacterHeader {
    private static let fragment = graphql(
        """
        fragment CharacterHeader_character on Character {
          aliases
          friends(first: 5) {
            edges {
              node {
                name
              }
            }
          }
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

    static func draw(_ character: CharacterHeader_character.Data, _ row: RowState) -> any Element {
        let facts: [String?] =
            switch character.asCase {
            case .human(let human): ["human", born(human.birthYear), tall(human.height)]
            case .droid(let droid): ["\(droid.primaryFunction) droid", tall(droid.height)]
            case .creature(let creature): ["no human", born(creature.birthYear), tall(creature.height)]
            case .other: []
            }
        return Column {
            Row.labelled("Is", facts.compactMap { $0 }.joined(separator: ", "))
            if !character.aliases.isEmpty {
                Row.labelled("Known as", character.aliases.joined(separator: ", "))
            }
            Row.labelled("Friends", character.friends.nodes.map(\.name).joined(separator: ", "))
        }
        .padding(horizontal: 1)
    }

    private static func born(_ year: String?) -> String? { year.map { "born \($0)" } }

    private static func tall(_ meters: Double?) -> String? { meters.map { "\($0) m tall" } }
}
