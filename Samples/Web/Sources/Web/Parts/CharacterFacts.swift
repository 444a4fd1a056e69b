import Baton
import HTML

/// The head of a character's page.
enum CharacterFacts {
    private static let fragment = graphql(
        """
        fragment CharacterFacts_character on Character {
          name
          aliases
          affiliations {
            __typename
            ... on Planet {
              name
            }
            ... on Species {
              name
            }
            ... on Starship {
              name
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

    static func render(_ reference: FragmentReference<CharacterFacts_character>, _ visit: Visit) -> HTML {
        guard let character = visit.environment.read(reference) else { return "" }
        var rows: [HTML] = []
        func add(_ title: String, _ text: String?) {
            if let text { rows.append("<div><dt>\(title)</dt><dd>\(text)</dd></div>") }
        }
        let height: Double?
        switch character.asCase {
        case .human(let human):
            add("Born", human.birthYear)
            height = human.height
        case .droid(let droid):
            add("Built for", droid.primaryFunction)
            height = droid.height
        case .creature(let creature):
            add("Born", creature.birthYear)
            height = creature.height
        case .other: height = nil
        }
        add("Height", height.map { "\($0) m" })
        let belongs = character.affiliations.compactMap {
            $0.asPlanet?.name ?? $0.asSpecies?.name ?? $0.asStarship?.name
        }
        add("Belongs to", belongs.isEmpty ? nil : belongs.joined(separator: ", "))
        let home = character.affiliations.lazy.compactMap { $0.asPlanet?.name }.first
        let aliases: HTML =
            character.aliases.isEmpty ? "" : "<p class=\"lead\">\(character.aliases.joined(separator: ", "))</p>"
        return """
            <div class="hero person">\(Portrait.render(character.__typename, name: character.name, home: home, size: 160))
            <div><p class="episode">\(character.__typename)</p><h1>\(character.name)</h1>\(aliases)
            <dl class="facts">\(rows)</dl>\(HeightScale.render(height, name: character.name))</div></div>
            """
    }
}
