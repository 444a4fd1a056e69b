import Baton
import BatonTesting
import BatonTestingTraits
import HTML
import StarWarsComponents
import Testing

@testable import Web

private func world() throws -> World {
    try World(schema: SagaService.schema, clientSchema: "extend type Film { isMine: Boolean }")
}

/// Parts of pages, alone with data of a world.
@Suite struct PartsTests {
    @Test(.mockEnvironment { MockEnvironment(world: try world()) })
    func aMarkDrawsTheRowOfItsFilmAlone() async throws {
        let mock = try #require(MockEnvironment.current)
        try mock.change(["Film.isMine": false, "Query.films": [["id": "Film:4", "title": "A New Hope"], [:]]])
        let visit = Visit(environment: mock.environment, visitor: Visitor(name: "Ana"), address: .home)
        let tester = ComponentTester(mock)
        let rows = try mock.load(FilmListQuery(first: 2)).films.nodes.map { film in
            tester.render { FilmRow.render(film.fragments.filmRow_film, film.fragments.filmPicture_film, visit).text }
        }
        #expect(await tester.update().count == 2)
        #expect(rows[0].frame.contains("A New Hope") && rows[0].frame.contains("aria-pressed=\"false\""))

        try mock.change(["Film:4": ["isMine": true]])
        let drawn = try await tester.expectDrawn("FilmRow_film of Film:4")
        #expect(drawn.description == "FilmRow_film of Film:4: Film:4.isMine false -> true")
        #expect(rows[0].frame.contains("aria-pressed=\"true\""))
    }

    @Test(.mockEnvironment { MockEnvironment(world: try world()) })
    func aReviewHasItsStarsAndItsWords() throws {
        let mock = try #require(MockEnvironment.current)
        let reviews: JSONValue = [
            ["id": "Review:1", "stars": 5, "commentary": "Hope & <b>more</b>"],
            ["id": "Review:2", "stars": 2, "commentary": nil],
        ]
        try mock.change(["Film:4": ["reviews": reviews]])
        let film = try #require(try mock.load(FilmReviewsQuery(id: "Film:4")).film)
        let part = FilmReviews.render(film.fragments.filmReviews_film, "Film:4", in: mock.environment)
        try Snapshot(markup: part.text).expect(
            """
            <ul class="reviews">
            <li data-review="Review:1">
            <svg class="stars" role="img" aria-label="5 of 5 stars" viewBox="0 0 100 20" width="80" height="16">
            <use class="off" href="#stars"/>
            <svg width="100" height="20">
            <use class="on" href="#stars"/>
            </svg>
            </svg>
            <blockquote dir="auto">Hope &amp; &lt;b&gt;more&lt;/b&gt;</blockquote>
            </li>
            <li data-review="Review:2">
            <svg class="stars" role="img" aria-label="2 of 5 stars" viewBox="0 0 100 20" width="80" height="16">
            <use class="off" href="#stars"/>
            <svg width="40" height="20">
            <use class="on" href="#stars"/>
            </svg>
            </svg>
            <p class="empty sentence">without words</p>
            </li>
            </ul>
            <p class="count">2 of 2</p>
            """)
    }
}
