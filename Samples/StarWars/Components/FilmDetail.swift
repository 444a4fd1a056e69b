import Baton
import TerminalRenderer

/// One film: facts, cast, setting and reviews, each in a child component.
final class FilmDetailScreen: Screen {
    private static let query = graphql(
        """
        query FilmDetailQuery($id: ID!) {
          film(id: $id) {
            title
            ...FilmHeader_film
            ...FilmSetting_film
            ...FilmReviews_film
            characters(first: 8) {
              totalCount
              edges {
                node {
                  id
                  ...CastRow_character
                }
              }
            }
          }
        }
        """
    )

    private static let review = graphql(
        """
        mutation FilmDetailReviewMutation($input: CreateReviewInput!) {
          createReview(input: $input) {
            film {
              id
              averageStars
              ...FilmReviews_film
            }
          }
        }
        """
    )

    let help = [
        "enter open", "left back", "r refetch", "1-5 review", "i invalidate", "e network", "q quit",
    ]

    private let id: String
    private let film: QueryHandle<FilmDetailQuery>
    private var header = ComponentList<FilmHeader_film>(FilmHeader.render)
    private var cast = ComponentList<CastRow_character>(CastRow.render)
    private var setting = ComponentList<FilmSetting_film>(FilmSetting.render)
    private var reviews = ComponentList<FilmReviews_film>(FilmReviews.render)
    private var characters: [String] = []
    private var selection = Selection()
    private var fetchKey: Int?

    init(_ id: String, in app: isolated App) {
        self.id = id
        film = QueryHandle<FilmDetailQuery>(in: app.environment, fetchPolicy: .storeOrNetwork)
    }

    func page(width: Int, in app: isolated App) -> Page {
        let shown = film.shown(film.get(id: id, fetchKey: fetchKey))
        var page = Page(title: "Film", progress: shown.progress, warning: shown.warning)
        guard let data = shown.data else { return page }
        guard let film = data.film else {
            page.lines = [StyledLine("There is no film '\(id)'.")]
            return page
        }
        page.title = film.title
        header.show([film.fragments.filmHeader_film], in: app)
        setting.show([film.fragments.filmSetting_film], in: app)
        reviews.show([film.fragments.filmReviews_film], in: app)
        let nodes = film.characters.nodes
        characters = nodes.map(\.id)
        cast.show(nodes.map(\.fragments.castRow_character), in: app)
        selection.clamp(count: characters.count)
        page.lines = header.lines(width: width, in: app)
        page.lines += .heading("Cast, \(characters.count) of \(film.characters.totalCount)")
        page.select(selection, in: page.lines.count..<(page.lines.count + characters.count))
        page.lines += cast.lines(width: width, in: app)
        page.lines += setting.lines(width: width, in: app)
        page.lines += reviews.lines(width: width, in: app)
        return page
    }

    func press(_ key: Key, in app: isolated App) -> KeyEffect {
        if selection.move(key, count: characters.count) { return .nothing }
        switch key {
        case .enter, .right:
            guard characters.indices.contains(selection.index) else { break }
            app.open(CharacterDetailScreen(characters[selection.index], in: app))
        case .character("r"): fetchKey = app.nextFetchKey()
        case .character(let character):
            guard let stars = character.wholeNumberValue, (1...5).contains(stars) else { break }
            let input = CreateReviewInput(filmId: id, stars: stars, commentary: "Reviewed in the terminal.")
            return app.commit(FilmDetailReviewMutation(input: input))
        default: break
        }
        return .nothing
    }
}
