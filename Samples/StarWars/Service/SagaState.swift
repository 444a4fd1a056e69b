import Synchronization

/// The state that users change: favourites and reviews. A lock guards it, because requests run at the same time.
final class SagaState: Sendable {
    private struct Content {
        var favorites: Set<String> = []
        var reviews = Saga.reviews
    }

    private let content = Mutex(Content())

    func isFavorite(_ film: Saga.Film) -> Bool {
        content.withLock { $0.favorites.contains(film.id) }
    }

    func setFavorite(_ film: Saga.Film, _ isFavorite: Bool) {
        content.withLock { content in
            if isFavorite { content.favorites.insert(film.id) } else { content.favorites.remove(film.id) }
        }
    }

    /// The reviews of a film, the newest first.
    func reviews(of film: Saga.Film) -> [Saga.Review] {
        content.withLock { $0.reviews.filter { $0.film == film.number }.reversed() }
    }

    func review(_ id: String) -> Saga.Review? {
        content.withLock { $0.reviews.first { $0.id == id } }
    }

    func addReview(of film: Saga.Film, stars: Int, commentary: String?) -> Saga.Review {
        content.withLock { content in
            let id = "review:\(content.reviews.count + 1)"
            let review = Saga.Review(id: id, film: film.number, stars: stars, commentary: commentary)
            content.reviews.append(review)
            return review
        }
    }
}
