import BatonTesting

extension SagaService {
    private struct FavoriteFilmPayload: Sendable {
        let film: Saga.Film?
        let clientMutationId: String?
    }

    private struct CreateReviewPayload: Sendable {
        let review: Saga.Review
        let film: Saga.Film
        let clientMutationId: String?
    }

    static func addMutation(to resolvers: inout LocalResolvers, _ index: SagaIndex, _ state: SagaState) {
        resolvers.field("Mutation", "favoriteFilm") { context in
            guard let input = context.arguments.object("input") else { return nil }
            let film = input.string("filmId").flatMap { index.film($0) }
            if let film { state.setFavorite(film, input.bool("isFavorite") ?? true) }
            return FavoriteFilmPayload(film: film, clientMutationId: input.string("clientMutationId"))
        }
        resolvers.field("Mutation", "createReview") { context in
            guard let input = context.arguments.object("input") else { return nil }
            let id = input.string("filmId") ?? ""
            guard let film = index.film(id) else { throw LocalError("no film '\(id)'") }
            let stars = input.int("stars") ?? 0
            guard (1...5).contains(stars) else { throw LocalError("'stars' must be 1 to 5") }
            let review = state.addReview(ofFilm: film.number, stars: stars, commentary: input.string("commentary"))
            return CreateReviewPayload(review: review, film: film, clientMutationId: input.string("clientMutationId"))
        }
    }
}
