import Baton
import TerminalRenderer

/// An affiliation of a character: a union, with one line for each member.
enum AffiliationRow {
    private static let fragment = graphql(
        """
        fragment AffiliationRow_affiliation on Affiliation {
          ... on Planet {
            name
            climate
            terrain
          }
          ... on Species {
            name
            classification
            language
          }
          ... on Starship {
            name
            model
            length
          }
        }
        """
    )

    static func render(_ affiliation: AffiliationRow_affiliation.Data, width: Int) -> [StyledLine] {
        let line =
            switch affiliation.asCase {
            case .planet(let planet): line("planet", planet.name, [planet.climate, planet.terrain])
            case .species(let species): line("species", species.name, [species.classification, species.language])
            case .starship(let starship):
                line("starship", starship.name, [starship.model, starship.length.map { "\($0) m" }])
            case .other(let other): line("something", other.__typename, [])
            }
        return [line]
    }

    private static func line(_ kind: String, _ name: String, _ facts: [String?]) -> StyledLine {
        var line = StyledLine("   ")
        line.append(kind, .dim, width: 9)
        line.append(name, .bold, width: 24)
        line.append(facts.compactMap { $0 }.joined(separator: ", "), .dim)
        return line
    }
}
