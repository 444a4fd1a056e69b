extension FragmentHandle where Fragment: PaginationFragment {
    /// Returns the elements of the list for a renderer that reads only the elements that it shows. When it reads one of
    /// the last `distance` elements, the handle begins to load the next page.
    ///
    ///     let rows = films.loadingAhead(films.get().data?.allFilms?.nodes ?? [], distance: 10, count: 20)
    ///     for index in visible { draw(rows[index]) }
    ///
    /// After a failure no page is loaded ahead until another load succeeds or the list itself is fetched again. A page
    /// that has added no edge is not requested again until the list begins anew.
    public func loadingAhead<Nodes: RandomAccessCollection & Sendable>(
        _ nodes: Nodes, distance: Int, count: Int
    ) -> LoadingAhead<Nodes> where Nodes.Index: Sendable {
        LoadingAhead(nodes, distance: distance) { [loads] in loads.loadAhead(count) }
    }
}
