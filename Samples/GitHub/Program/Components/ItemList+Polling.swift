extension ItemList {
    /// Keeps the list that is shown fresh, as long as it has one page.
    func poll(_ filter: Filter) {
        search.pages.show(filter.isSearch)
        pulls.pages.show(!filter.isSearch && filter.isPull)
        issues.pages.show(!filter.isSearch && !filter.isPull)
    }
}
