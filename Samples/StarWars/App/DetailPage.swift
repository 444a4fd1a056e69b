import TerminalRenderer

/// A page of the right pane.
protocol DetailPage: Component {
    /// Shows another place; returns false if this page is for places of another kind.
    func show(_ place: Place) -> Bool
}

extension App {
    /// The list of a page: parts that cannot be selected, and then rows that lead to other places.
    func page(
        _ parts: [any Element], _ places: [Place], _ state: ListState,
        row: @escaping @MainActor (Int, RowState) -> any Element
    ) -> any Element {
        List(
            0..<parts.count + places.count, state, isFocused: isDetailFocused, isSelectable: { $0 >= parts.count },
            open: { [self] in open(places[$0 - parts.count]) }, focus: focusDetail,
            row: { $0 < parts.count ? parts[$0] : row($0 - parts.count, $1) })
    }
}
