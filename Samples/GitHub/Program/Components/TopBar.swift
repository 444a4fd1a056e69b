import TerminalRenderer

/// The first line: the repository, what is listed, and the filter.
@MainActor
enum TopBar {
    private static let (tabsWidth, stateWidth) = (20, 7)
    /// The columns in which one sees at least what one types.
    private static let searchWidth = 16

    static func line(_ session: Session, _ search: TextInput, changed: @escaping @MainActor () -> Void) -> any Element {
        let filter = session.filter
        let isSearch = session.focus == .search || !search.text.isEmpty
        return Sizing { size in
            let name = "\(session.repository.owner)/\(session.repository.name)"
            let (hasName, hasTabs) = (size.width >= (isSearch ? 90 : 60), size.width >= 60 || !isSearch)
            let hasState = size.width >= 30 || !isSearch
            // The columns of what is shown besides the label and the author, with the gaps.
            let taken =
                (hasName ? name.displayWidth + 1 : 0) + (hasTabs ? tabsWidth : 0) + (hasState ? stateWidth : 0)
                + (isSearch ? searchWidth : 0)
            Row(gap: 1) {
                if hasName { Text(name, .bold) }
                if hasTabs {
                    tab("1 Issues", isShown: !filter.isPull) { session.list { $0.isPull = false } }
                    tab("2 Pulls", isShown: filter.isPull) { session.list { $0.isPull = true } }
                }
                if hasState {
                    Text(filter.state.rawValue, .color(.green)).onClick { session.list { $0.state = $0.state.next } }
                }
                let room = (size.width - taken) / (filter.label != nil && filter.author != nil ? 2 : 1)
                if let label = filter.label { Text(named("label", label, room), .color(.yellow)) }
                if let author = filter.author { Text(named("author", author, room), .color(.cyan)) }
                if isSearch {
                    Text("/", .bold)
                    TextField(search, isFocused: session.focus == .search, placeholder: "words", changed: changed)
                }
            }
        }
        .frame(height: 1)
    }

    /// A filter in some columns; what it is called is worth more than its kind.
    private static func named(_ kind: String, _ name: String, _ columns: Int) -> String {
        let width = max(0, columns - 1)
        let text = "\(kind):\(name)"
        return text.displayWidth <= width ? text : name.truncated(toWidth: width)
    }

    private static func tab(_ title: String, isShown: Bool, _ show: @escaping @MainActor () -> Void) -> any Element {
        Text(" \(title) ", isShown ? .reversed : .dim).onClick(show)
    }
}
