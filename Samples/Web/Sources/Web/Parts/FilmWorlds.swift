import Baton
import HTML

/// The planets and starships of a film.
enum FilmWorlds {
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

    static func render(_ reference: FragmentReference<FilmWorlds_film>, _ visit: Visit) -> HTML {
        guard let film = visit.environment.read(reference) else { return "" }
        let planets = film.planets.nodes.map { planet -> HTML in
            let facts = [planet.climate, planet.terrain].compactMap { $0 }.joined(separator: "; ")
            return "<li><b>\(planet.name)</b> \(facts)</li>"
        }
        let starships = film.starships.nodes.map { ship -> HTML in "<li><b>\(ship.name)</b> \(ship.starshipClass)</li>"
        }
        return """
            <div class="columns"><section aria-labelledby="planets-title"><h2 id="planets-title">Worlds</h2>\
            \(list(planets, of: film.planets.totalCount))</section>
            <section aria-labelledby="ships-title"><h2 id="ships-title">Ships</h2>\
            \(list(starships, of: film.starships.totalCount))</section></div>
            """
    }

    private static func list(_ rows: [HTML], of total: Int) -> HTML {
        if rows.isEmpty { return "<p class=\"empty\">None is known.</p>" }
        let rest: HTML = total > rows.count ? "<p class=\"count\">and \(total - rows.count) more</p>" : ""
        return "<ul class=\"plain\">\(rows)</ul>\(rest)"
    }
}
