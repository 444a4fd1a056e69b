import Baton
import StarWarsComponents
import TerminalRenderer

extension App {
    /// Performs the action of a key on a film, in the list of films and on the film's page.
    func press(_ key: Key, onFilm id: String, title: String, isFavorite: Bool) -> Bool {
        switch key {
        case .character("s"): FilmFavorite.set(!isFavorite, of: id, in: self)
        case .character("w"): overlay = .review(ReviewForm(of: id, title: title, in: self))
        default: return false
        }
        return true
    }

    /// The review of a film that is being written.
    func draft(of film: String) -> ReviewDraft {
        let draft = drafts[film] ?? ReviewDraft()
        drafts[film] = draft
        return draft
    }

    /// Sends the review of a film that is being written. If that fails, it is in the form again.
    func sendReview(of film: String) {
        let draft = draft(of: film)
        let review = draft.take()
        let words = review.words.isEmpty ? nil : review.words
        let input = CreateReviewInput(filmId: film, stars: review.stars, commentary: words)
        commit(ReviewFormMutation(input: input), failure: "Not sent, w has your review again") {
            draft.putBack(review)
        }
    }
}
