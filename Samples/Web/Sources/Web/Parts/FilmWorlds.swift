import Baton
import HTML
import StarWarsComponents

extension FilmWorlds {
    /// The planets and starships of a film.
    static func render(_ reference: FragmentReference<FilmWorlds_film>, _ visit: Visit) -> HTML {
        guard let film = visit.environment.read(reference) else { return "" }
        let sections = groups(film).enumerated().map { index, group -> HTML in
            """
            <section aria-labelledby="group-\(index)"><h2 id="group-\(index)">\(group.title)</h2>\(list(group))</section>
            """
        }
        return "<div class=\"columns\">\(sections)</div>"
    }

    private static func list(_ group: Group) -> HTML {
        if group.things.isEmpty { return "<p class=\"empty\">None is known.</p>" }
        let rows = group.things.map { thing -> HTML in "<li><b>\(thing.name)</b> \(thing.fact)</li>" }
        let rest: HTML = group.rest > 0 ? "<p class=\"count\">and \(group.rest) more</p>" : ""
        return "<ul class=\"plain\">\(rows)</ul>\(rest)"
    }
}
