import Baton
import TerminalRenderer

/// One thing that was found: a union, with one line for each member.
enum SearchRow {
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

    private static let columns = Table([
        .init("", .columns(9)), .init("Name", .share(3)), .init("", .share(2), fromWidth: 36),
    ])

    static func draw(_ result: SearchRow_result.Data, _ row: RowState) -> any Element {
        let (kind, name, fact): (String, String, String?) =
            switch result.asCase {
            case .film(let film): ("film", film.title, "\(film.releaseDate.year)")
            case .character(let character): (result.__typename.lowercased(), character.name, nil)
            case .planet(let planet): ("planet", planet.name, planet.climate)
            case .species(let species): ("species", species.name, species.classification)
            case .starship(let starship): ("starship", starship.name, starship.model)
            case .other: (result.__typename, "", nil)
            }
        return columns.row([.faint(kind), Text(name, row.isSelected ? .bold : .plain), .faint(fact ?? "")])
            .padding(horizontal: 1)
    }
}
