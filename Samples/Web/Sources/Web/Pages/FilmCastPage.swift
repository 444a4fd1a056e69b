import Baton
import HTML
import StarWarsComponents

/// The whole cast of a film, page by page.
struct FilmCastPage: Page {
    let id: String
    let after: String?

    var queries: [any GraphQLQuery] { [CastPageQuery(id: id, after: after)] }

    func content(_ visit: Visit) throws(PageError) -> Content {
        let result = QueryHandle<CastPageQuery>.inStore(of: visit).get(id: id, after: after)
        guard let film = try result.shown().film else {
            throw visit.hasHoles ? PageError(RelayError.noData([]).publicFailure) : .notFound("There is no such film.")
        }
        let cast = film.characters
        if let error = PageError.place(after, hasPreviousPage: cast.pageInfo.hasPreviousPage) { throw error }
        let rows = cast.nodes.map { CharacterRow.render($0.fragments.characterRow_character, visit) }
        let next = cast.pageInfo.hasNextPage ? cast.pageInfo.endCursor : nil
        let title = "Cast of \(film.title)"
        return Content(
            title: title, description: "Everybody who appears in \(film.title).",
            body: """
                <h1>\(title)</h1><p class="lead"><a href="\(WebAddress("films", id))">Back to the film</a></p>
                <ul class="characters">\(rows)</ul><p class="count">\(ListCount.text(rows.count, of: cast.totalCount))</p>
                \(Paging.render(
                    next: next.map { WebAddress("films", id, "cast").with("after", $0) }, "More of the cast",
                    first: after == nil ? nil : WebAddress("films", id, "cast")))\
                \(Notice.holes(visit))
                """)
    }
}
