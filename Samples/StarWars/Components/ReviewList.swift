import Baton
import StarWarsComponents
import TerminalRenderer

/// The newest reviews of a film, a part of its page.
final class ReviewList: Component {
    private let film: FragmentHandle<FilmReviews_film>
    private let rows: FragmentComponent<ReviewRow_review>

    init(in app: App) {
        film = FragmentHandle(nil, in: app.environment)
        rows = FragmentComponent(in: app.screen, ReviewRow.draw)
    }

    func show(_ film: FragmentReference<FilmReviews_film>?) { self.film.show(film) }

    var content: any Element {
        if let reviews = film.get().data?.reviews {
            Column {
                Spacer.rows(1)
                Text.heading("Reviews ") + Text.faint("\(reviews.totalCount)")
                for review in reviews.nodes { rows(review.fragments.reviewRow_review) }
            }
            .padding(horizontal: 1)
        }
    }
}
