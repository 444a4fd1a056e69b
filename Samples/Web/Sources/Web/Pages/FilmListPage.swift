import Baton
import HTML
import StarWarsComponents

/// The films: all of them, those of a trilogy, or the visitor's own, in one of two orders.
struct FilmListPage: Page {
    let trilogy: Trilogy?
    let order: FilmOrder
    let onlyMine: Bool
    let after: String?

    /// Reads the query of the address; anything unknown counts as left out.
    init(_ parameters: Parameters) {
        trilogy = parameters["trilogy"].flatMap { Trilogy(name: $0) }
        order = parameters["order"] == "release" ? .release : .episode
        onlyMine = parameters["mine"] == "yes"
        after = parameters["after"]
    }

    private var listQuery: FilmListQuery {
        FilmListQuery(
            filter: trilogy.map { FilmFilter(trilogy: $0) }, order: order, first: 12, after: after, withPictures: true)
    }

    var queries: [any GraphQLQuery] { [listQuery] }

    func content(_ visit: Visit) throws(PageError) -> Content {
        let films = try QueryHandle<FilmListQuery>.inStore(of: visit).get(listQuery.variables).shown().films
        let shown = films.nodes.filter { !onlyMine || $0.isMine == true }
        let cards = shown.map { FilmRow.render($0.fragments.filmRow_film, $0.fragments.filmPicture_film, visit) }
        let list: HTML =
            cards.isEmpty ? "<p class=\"empty\">\(emptyText(visit))</p>" : "<ul class=\"films\">\(cards)</ul>"
        let next = films.pageInfo.hasNextPage ? films.pageInfo.endCursor : nil
        let favorites = shown.count == 1 ? "1 favourite" : "\(shown.count) favourites"
        let count = onlyMine ? favorites : ListCount.text(shown.count, of: films.totalCount)
        let paging = Paging.render(
            next: next.map { address(after: $0) }, "More films", first: after == nil ? nil : address(after: nil))
        let body: HTML = """
            <div class="opening"><h1>\(heading)</h1>\(isFiltered ? "" : lead)</div>
            \(filters(visit))
            <h2 class="hidden">Films</h2><p class="count"><span id="count">\(count)</span></p>
            \(list)\(paging)\(Notice.holes(visit))
            """
        return Content(
            title: isFiltered ? heading : "Nine episodes",
            description: "The nine episodes, with their worlds, people and reviews.", body: body)
    }

    private var heading: String {
        if onlyMine { return "Your favourites" }
        return trilogy?.title ?? "Three trilogies, one story"
    }

    private var isFiltered: Bool { onlyMine || trilogy != nil }

    private var lead: HTML {
        "<p class=\"lead\">Every picture is drawn from the facts of its film: its worlds, its ships, its part.</p>"
    }

    private func emptyText(_ visit: Visit) -> String {
        if onlyMine, visit.visitor == nil { return "Sign in to keep favourites." }
        if onlyMine, trilogy != nil, visit.visitor?.favorites.isEmpty == false {
            return "None of your favourites is a film of this trilogy."
        }
        return onlyMine ? "You have marked no film yet. The heart on a film does that." : "No film fits."
    }

    // MARK: - The filter

    private func address(_ trilogy: Trilogy?, _ order: FilmOrder, _ onlyMine: Bool, after: String? = nil) -> WebAddress
    {
        WebAddress.home
            .with("trilogy", trilogy?.name)
            .with("order", order == .release ? "release" : nil).with("mine", onlyMine ? "yes" : nil)
            .with("after", after)
    }

    private func address(after: String?) -> WebAddress { address(trilogy, order, onlyMine, after: after) }

    private func filters(_ visit: Visit) -> HTML {
        let all = choice("All", address(nil, order, onlyMine), isChosen: trilogy == nil)
        // The name of the group says that these are trilogies.
        let each = Trilogy.all.map { choice(Self.short($0), address($0, order, onlyMine), isChosen: $0 == trilogy) }
        let mine = choice("Only favourites", address(trilogy, order, !onlyMine), isChosen: onlyMine)
        let favorites: HTML = visit.visitor == nil ? "" : "<ul aria-label=\"Favourites\">\(mine)</ul>"
        return """
            <nav class="filters" aria-label="Filter">
            <ul aria-label="Trilogy">\(all)\(each)</ul>
            <ul aria-label="Order">\(choice("As the story goes", address(trilogy, .episode, onlyMine), isChosen: order == .episode))\
            \(choice("As released", address(trilogy, .release, onlyMine), isChosen: order == .release))</ul>
            \(favorites)</nav>
            """
    }

    private static func short(_ trilogy: Trilogy) -> String {
        trilogy.name.prefix(1).uppercased() + trilogy.name.dropFirst()
    }

    private func choice(_ title: String, _ address: WebAddress, isChosen: Bool) -> HTML {
        "<li><a href=\"\(address)\"\("aria-current", is: isChosen ? "true" : nil)>\(title)</a></li>"
    }
}
