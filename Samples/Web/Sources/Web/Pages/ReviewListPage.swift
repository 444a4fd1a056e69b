import Baton
import HTML
import StarWarsComponents

/// All reviews of a film, page by page.
struct ReviewListPage: Page {
    let id: String
    let after: String?

    var queries: [any GraphQLQuery] { [ReviewPageQuery(id: id, after: after)] }

    func content(_ visit: Visit) throws(PageError) -> Content {
        let result = QueryHandle<ReviewPageQuery>.inStore(of: visit).get(id: id, after: after)
        guard let film = try result.shown().film else {
            throw visit.hasHoles ? PageError(RelayError.noData([]).publicFailure) : .notFound("There is no such film.")
        }
        let reviews = film.reviews
        if let error = PageError.place(after, hasPreviousPage: reviews.pageInfo.hasPreviousPage) { throw error }
        let rows = reviews.nodes.map { ReviewRow.render($0.fragments.reviewRow_review, in: visit.environment) }
        let next = reviews.pageInfo.hasNextPage ? reviews.pageInfo.endCursor : nil
        let title = "Reviews of \(film.title)"
        let list: HTML =
            rows.isEmpty
            ? "<p class=\"empty\">Nobody has written a review yet.</p>" : "<ul class=\"reviews\">\(rows)</ul>"
        return Content(
            title: title, description: "What people think of \(film.title).",
            body: """
                <h1>\(title)</h1><p class="lead"><a href="\(WebAddress("films", id))">Back to the film</a></p>
                \(list)<p class="count">\(ListCount.text(rows.count, of: reviews.totalCount))</p>
                \(Paging.render(
                    next: next.map { WebAddress("films", id, "reviews").with("after", $0) }, "Older reviews",
                    first: after == nil ? nil : WebAddress("films", id, "reviews")))
                """)
    }
}
