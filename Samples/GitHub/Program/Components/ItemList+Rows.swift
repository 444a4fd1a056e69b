import TerminalRenderer

extension ItemList {
    func rows(of items: Rows<Session.Target?>) -> some Element {
        let open: @MainActor (Int) -> Void = { [session] _ in session.focus = .item }
        let focus: @MainActor () -> Void = { [session] in session.focus = .list }
        return List(items, state, isFocused: session.focus == .list, open: open, focus: focus) { [rows] item, row in
            if let item { return rows(item.reference, row) }
            return Text("An entry that the service does not show.", .dim)
        }
    }
}
