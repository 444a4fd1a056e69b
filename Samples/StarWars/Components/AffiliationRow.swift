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

    static func draw(_ affiliation: AffiliationRow_affiliation.Data, _ row: RowState) -> any Element {
        let (kind, name, facts): (String, String, [String?]) =
            switch affiliation.asCase {
            case .planet(let planet): ("planet", planet.name, [planet.climate, planet.terrain])
            case .species(let species): ("species", species.name, [species.classification, species.language])
            case .starship(let ship): ("starship", ship.name, [ship.model, ship.length.map { "\($0) m" }])
            case .other(let other): ("something", other.__typename, [])
            }
        return Row {
            Text.faint(kind).frame(width: 11)
            Text(name) + Text.faint("  " + facts.compactMap { $0 }.joined(separator: ", "))
        }
        .padding(horizontal: 1)
    }
}
