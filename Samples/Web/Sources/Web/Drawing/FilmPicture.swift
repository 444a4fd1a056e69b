import Baton
import HTML
import StarWarsComponents

/// The picture of a film, drawn from its facts: the worlds are discs in the colour of their climate, each ship is a
/// dart, the sky is that of the trilogy, and the stars are those of the title.
extension FilmPicture {
    private struct World: Hashable {
        let name: String
        let climate: String?
    }

    private struct Facts: Hashable {
        let title: String
        let number: Int
        let trilogy: Trilogy
        let worlds: [World]
        let ships: Int
        let isLabelled: Bool
    }

    private static let drawings = Drawings<Facts>()

    /// Draws the picture; with a label it says what is on it, and otherwise it is only there to be seen.
    static func render(
        _ reference: FragmentReference<FilmPicture_film>?, in environment: RelayEnvironment, isLabelled: Bool = false
    ) -> HTML {
        guard let reference, let film = environment.read(reference) else { return "" }
        let facts = Facts(
            title: film.title, number: film.episodeNumber, trilogy: film.trilogy,
            worlds: film.worlds.nodes.map { World(name: $0.name, climate: $0.climate) }, ships: film.fleet.totalCount,
            isLabelled: isLabelled)
        return drawings.picture(of: facts, draw)
    }

    private static func draw(_ film: Facts) -> HTML {
        let (worlds, number, isLabelled) = (film.worlds, film.number, film.isLabelled)
        var dice = Dice(film.title)
        let sky = sky(of: film.trilogy)
        // Most films visit the same few worlds first, so each begins at another one.
        let first = dice.roll(worlds.count)
        let planets = Array((worlds[first...] + worlds[..<first]).prefix(4))
        let discs = planets.enumerated().reversed().map { index, planet in disc(index, planet.climate, &dice) }
        let names = planets.map(\.name).joined(separator: ", ")
        let label = "Picture of \(film.title): \(names.isEmpty ? "stars" : names), ships: \(film.ships)"
        return """
            <svg class="poster" viewBox="0 0 240 320" preserveAspectRatio="xMidYMax slice"\("role", is: isLabelled ? "img" : nil)\
            \("aria-label", is: isLabelled ? label : nil)\("aria-hidden", is: isLabelled ? nil : "true")>\
            <defs><linearGradient id="sky\(number)" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="\(sky.0)"/>\
            <stop offset=".62" stop-color="\(sky.1)"/><stop offset="1" stop-color="\(sky.2)"/></linearGradient></defs>\
            <rect width="240" height="320" fill="url(#sky\(number))"/>\
            <path d="\(stars(&dice))" stroke="#fff" stroke-opacity=".75" stroke-width="1.4" stroke-linecap="round"/>\
            \(discs)<path d="\(ships(film.ships, &dice))" fill="#fff" fill-opacity=".9"/>\
            <path d="M0 268Q120 238 240 268V320H0z" fill="#000" fill-opacity=".45"/>\
            <text x="120" y="305" text-anchor="middle" font-size="30" fill="#fff" letter-spacing="4" \
            font-family="Georgia,serif">\(EpisodeNumber.roman(number))</text></svg>
            """
    }

    private static func sky(of trilogy: Trilogy) -> (String, String, String) {
        switch trilogy {
        case .prequel: ("#2a1a4a", "#8a3d5f", "#f0a35e")
        case .original: ("#061329", "#15466b", "#6fb3b8")
        default: ("#12090f", "#6b1423", "#e0643c")
        }
    }

    private static func stars(_ dice: inout Dice) -> String {
        (0..<46).map { _ in "M\(dice.roll(236) + 2) \(dice.roll(250) + 4)h.1" }.joined()
    }

    private static func disc(_ index: Int, _ climate: String?, _ dice: inout Dice) -> HTML {
        // Each world has a part of the sky of its own, so that none hides another one or touches the hill.
        let radius = [52, 20, 15, 10][index] + dice.roll(8)
        let x = [70, 35, 185, 110][index] + dice.roll(index == 0 ? 100 : 20)
        let y = index == 0 ? 156 + dice.roll(18) : 50 + dice.roll(18)
        let color = color(of: climate)
        return """
            <circle cx="\(x)" cy="\(y)" r="\(radius)" fill="\(color)"/><path d="M\(x) \(y - radius)a\(radius) \(radius) 0 0 1 \
            0 \(radius * 2)a\(radius * 5 / 4) \(radius * 5 / 4) 0 0 0 0 -\(radius * 2)" fill="#000" fill-opacity=".35"/>
            """
    }

    private static func color(of climate: String?) -> String {
        let colors = [
            ("arid", "#dca45c"), ("frozen", "#d6e8f4"), ("cold", "#b8c8d8"), ("hot", "#d24b2c"), ("murky", "#6f7d45"),
            ("humid", "#4d8a57"), ("stormy", "#5f7794"), ("temperate", "#5a9a78"), ("mild", "#d8a08a"),
            ("warm", "#7fa050"),
        ]
        return colors.first { (climate ?? "").contains($0.0) }?.1 ?? "#8d93a8"
    }

    /// A flight of darts, no more than fit.
    private static func ships(_ count: Int, _ dice: inout Dice) -> String {
        let (x, y) = (30 + dice.roll(60), 60 + dice.roll(40))
        return (0..<min(max(count, 0), 12)).map { number in
            let (column, row) = (number % 4, number / 4)
            return "M\(x + column * 26 + row * 13) \(y + row * 16 + column * 7)l12 5-12 5 3-5z"
        }.joined()
    }
}
