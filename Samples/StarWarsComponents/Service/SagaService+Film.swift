import BatonTesting

extension SagaService {
    static func addFilm(to resolvers: inout LocalResolvers, _ index: SagaIndex, _ state: SagaState) {
        resolvers.object("Film", Saga.Film.self) { film in
            film.field("id") { $0.id }
            film.field("episodeNumber") { $0.number }
            film.field("trilogy") { $0.trilogy }
            film.field("releaseDate") { $0.released }
            film.field("year") { Int($0.released.prefix(4)) }
            film.field("isFavorite") { state.isFavorite($0) }
            film.field("averageStars") { film in
                let reviews = state.reviews(of: film)
                guard !reviews.isEmpty else { return nil }
                return rounded(Double(reviews.reduce(0) { $0 + $1.stars }) / Double(reviews.count), digits: 1)
            }
            film.field("characters") { try page(index.characters(in: $0), $1, id: \.id) }
            film.field("planets") { try page(index.planets(in: $0), $1, id: \.id) }
            film.field("starships") { try page(index.starships(in: $0), $1, id: \.id) }
            film.field("reviews") { try page(state.reviews(of: $0), $1, id: \.id) }
        }
        resolvers.field("Review", "film", of: Saga.Review.self) { review, _ in index.film(number: review.film) }
    }
}
