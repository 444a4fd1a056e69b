import Baton
import HTML

/// A character in a list: the picture, the name, and what the character is.
enum CharacterRow {
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

    static func render(_ reference: FragmentReference<CharacterRow_character>, _ visit: Visit) -> HTML {
        guard let character = visit.environment.read(reference) else { return "" }
        let (text, home) = description(of: character)
        return """
            <li class="character">\(Portrait.render(character.__typename, name: character.name, home: home))
            <div><a href="\(WebAddress("characters", character.id))">\(character.name)</a><p class="facts">\(text)</p></div></li>
            """
    }

    private static func description(of character: CharacterRow_character.Data) -> (text: String, home: String?) {
        switch character.asCase {
        case .human(let human): (human.homeworld.map { "Human from \($0.name)" } ?? "Human", human.homeworld?.name)
        case .droid(let droid): ("Droid, built for: \(droid.primaryFunction)", nil)
        case .creature(let creature):
            (creature.species?.name ?? "Of an unknown species", creature.homeworld?.name)
        case .other(let character): (character.__typename, nil)
        }
    }
}
