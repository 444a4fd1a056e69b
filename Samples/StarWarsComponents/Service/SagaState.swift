import Synchronization

/// The state that users change: favourites and reviews. A lock guards it, because requests run at the same time.
public final class SagaState: Sendable {
    private struct Content {
        var favorites: Set<String> = []
        var reviews = Saga.reviews
        var strangers = Saga.strangers[...]
    }

    private let content = Mutex(Content())

    public init() {}

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

    /// The number of reviews of all films.
    var reviewCount: Int { content.withLock(\.reviews.count) }

    /// A review by its place among those of all films, in the order in which they were added.
    func review(number: Int) -> Saga.Review? {
        content.withLock { $0.reviews.indices.contains(number) ? $0.reviews[number] : nil }
    }

    func addReview(ofFilm number: Int, stars: Int, commentary: String?) -> Saga.Review {
        content.withLock { content in
            let id = "review:\(content.reviews.count + 1)"
            let review = Saga.Review(id: id, film: number, stars: stars, commentary: commentary)
            content.reviews.append(review)
            return review
        }
    }

    /// Adds the next one of the reviews of strangers, while there are some.
    func addStrangersReview() {
        guard let review = content.withLock({ $0.strangers.popFirst() }) else { return }
        _ = addReview(ofFilm: review.film, stars: review.stars, commentary: review.commentary)
    }
}
