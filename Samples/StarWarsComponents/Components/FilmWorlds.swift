import Baton

/// The planets and starships of a film.
public enum FilmWorlds {
    private static let fragment = graphql(
        """
        fragment FilmWorlds_film on Film {
          planets {
            totalCount
            edges {
              node {
                name
                climate
                terrain
              }
            }
          }
          starships {
            totalCount
            edges {
              node {
                name
                starshipClass
              }
            }
          }
        }
        """
    )

    /// Things of one kind in a film, with a fact of each, and the number of those that are not among them.
    public struct Group: Sendable {
        public let title: String
        public let things: [(name: String, fact: String)]
        public let rest: Int

        /// The first names in one line.
        public func names(_ count: Int) -> String {
            let (shown, rest) = (things.prefix(count), rest + max(0, things.count - count))
            return shown.map(\.name).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
        }
    }

    public static func groups(_ film: FilmWorlds_film.Data) -> [Group] {
        let planets = film.planets.nodes.map { planet in
            (planet.name, [planet.climate, planet.terrain].compactMap { $0 }.joined(separator: "; "))
        }
        let ships = film.starships.nodes.map { ($0.name, $0.starshipClass) }
        return [
            Group(title: "Worlds", things: planets, rest: max(0, film.planets.totalCount - planets.count)),
            Group(title: "Ships", things: ships, rest: max(0, film.starships.totalCount - ships.count)),
        ]
    }
}
