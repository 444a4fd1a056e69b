import Baton

/// What a character belongs to: a union, with facts of each member.
public enum AffiliationRow {
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

    public static func description(
        of affiliation: AffiliationRow_affiliation.Data
    ) -> (kind: String, name: String, facts: String) {
        let (kind, name, facts): (String, String, [String?]) =
            switch affiliation.asCase {
            case .planet(let planet): ("planet", planet.name, [planet.climate, planet.terrain])
            case .species(let species): ("species", species.name, [species.classification, species.language])
            case .starship(let ship): ("starship", ship.name, [ship.model, ship.length.map { "\($0) m" }])
            case .other(let other): ("something", other.__typename, [])
            }
        return (kind, name, facts.compactMap { $0 }.joined(separator: ", "))
    }
}
