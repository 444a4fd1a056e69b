extension FragmentHandle where Fragment: PaginationFragment {
    /// Returns the elements of the list for a renderer that looks only at those that it shows. When it looks at one of
    /// the last `distance` elements, the handle begins to load the next page.
    ///
    ///     let rows = films.prefetch(films.get().data?.allFilms?.nodes ?? [], distance: 10, count: 20)
    ///     for index in visible { draw(rows[index]) }
    ///
    /// After a failure nothing is loaded ahead until another load succeeds. A page that has added nothing is not asked
    /// for again until the list begins anew.
    public func prefetch<Nodes: RandomAccessCollection & Sendable>(
        _ nodes: Nodes, distance: Int, count: Int
    ) -> Prefetching<Nodes> where Nodes.Index: Sendable {
        Prefetching(nodes, distance: distance) { [loads] in loads.prefetch(count) }
    }
}
