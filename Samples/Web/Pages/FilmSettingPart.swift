import Baton

/// The planets and starships of a film.
enum FilmSettingPart {
    static func render(_ film: FragmentReference<FilmSetting_film>, in environment: RelayEnvironment) -> HTML {
        guard let film = environment.read(film) else { return "" }
        let planets = film.planets.nodes.map(\.name).joined(separator: ", ")
        let starships = film.starships.nodes.map(\.name).joined(separator: ", ")
        return "<h2>Setting</h2><p>Planets: \(planets)</p><p>Starships: \(starships)</p>"
    }
}
