import Baton
import HTML
import StarWarsComponents

/// Everybody in the saga, page by page.
struct CharacterListPage: Page {
    let after: String?

    var queries: [any GraphQLQuery] { [CharacterPageQuery(after: after)] }

    func content(_ visit: Visit) throws(PageError) -> Content {
        let characters = try QueryHandle<CharacterPageQuery>.inStore(of: visit).get(after: after).shown().characters
        if let error = PageError.place(after, hasPreviousPage: characters.pageInfo.hasPreviousPage) { throw error }
        let rows = characters.nodes.map { CharacterRow.render($0.fragments.characterRow_character, visit) }
        let next = characters.pageInfo.hasNextPage ? characters.pageInfo.endCursor : nil
        return Content(
            title: "Characters", description: "The people, droids and creatures of the saga.",
            body: """
                <h1>Characters</h1><ul class="characters">\(rows)</ul>
                <p class="count">\(ListCount.text(rows.count, of: characters.totalCount))</p>
                \(Paging.render(
                    next: next.map { WebAddress("characters").with("after", $0) }, "More characters",
                    first: after == nil ? nil : WebAddress("characters")))\
                \(Notice.holes(visit))
                """)
    }
}
