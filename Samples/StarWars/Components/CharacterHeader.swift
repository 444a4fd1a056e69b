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

    static func render(_ character: CharacterHeader_character.Data, width: Int) -> [StyledLine] {
        var facts: [String] = []
        if let human = character.asHuman {
            facts = ["human", born(human.birthYear), tall(human.height)].compactMap { $0 }
        } else if let droid = character.asDroid {
            facts = ["droid for \(droid.primaryFunction)", tall(droid.height)].compactMap { $0 }
        } else if let creature = character.asCreature {
            facts = ["no human", born(creature.birthYear), tall(creature.height)].compactMap { $0 }
        }
        let friends = character.friends.edges?.compactMap { $0?.node?.name } ?? []
        var lines: [StyledLine] = .labelled("Is", facts.joined(separator: ", "), width: width)
        if !character.aliases.isEmpty {
            lines += .labelled("Known as", character.aliases.joined(separator: ", "), width: width)
        }
        return lines + .labelled("Friends", friends.joined(separator: ", "), width: width)
    }

    private static func born(_ year: String?) -> String? { year.map { "born \($0)" } }

    private static func tall(_ meters: Double?) -> String? { meters.map { "\($0) m tall" } }
}
