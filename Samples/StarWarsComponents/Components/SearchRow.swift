import Baton

/// One thing that was found: a union, with a fact of each member.
public enum SearchRow {
    private static let fragment = graphql(
        """
        fragment SearchRow_result on SearchResult {
          ... on Film {
            title
            releaseDate
          }
          ... on Character {
            name
          }
          ... on Planet {
            name
            climate
          }
          ... on Species {
            name
            classification
          }
          ... on Starship {
            name
            model
          }
        }
        """
    )

    public static func description(of result: SearchRow_result.Data) -> (kind: String, name: String, fact: String) {
        switch result.asCase {
        case .film(let film): ("film", film.title, "\(film.releaseDate.year)")
        case .character(let character): (result.__typename.lowercased(), character.name, "")
        case .planet(let planet): ("planet", planet.name, planet.climate ?? "")
        case .species(let species): ("species", species.name, species.classification)
        case .starship(let starship): ("starship", starship.name, starship.model)
        case .other: (result.__typename, "", "")
        }
    }
}
