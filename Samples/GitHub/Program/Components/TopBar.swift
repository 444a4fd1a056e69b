import TerminalRenderer

/// The first line: the repository, what is listed, and the filter.
@MainActor
enum TopBar {
    static func line(_ session: Session, _ search: TextInput, changed: @escaping @MainActor () -> Void) -> any Element {
        let filter = session.filter
        let isSearch = session.focus == .search || !search.text.isEmpty
        return Sizing { size in
            Row(gap: 1) {
                if size.width >= (isSearch ? 90 : 60) {
                    Text("\(session.repository.owner)/\(session.repository.name)", .bold)
                }
                if size.width >= 60 || !isSearch {
                    tab("1 Issues", isShown: !filter.isPull) { session.filter.isPull = false }
                    tab("2 Pulls", isShown: filter.isPull) { session.filter.isPull = true }
                }
                if size.width >= 30 || !isSearch {
                    Text(filter.state.rawValue, .color(.green)).onClick { session.filter.state = filter.state.next }
                }
                // What is typed needs some columns, and the filters take what is left.
                let room = max(0, (size.width - (size.width >= 60 ? isSearch ? 50 : 60 : isSearch ? 30 : 28)) / 2)
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
    private static func named(_ kind: String, _ name: String, _ width: Int) -> String {
        let text = "\(kind):\(name)"
        return text.displayWidth <= width ? text : name.truncated(toWidth: width)
    }

    private static func tab(_ title: String, isShown: Bool, _ show: @escaping @MainActor () -> Void) -> any Element {
        Text(" \(title) ", isShown ? .reversed : .dim).onClick(show)
    }
}
