import Baton
import TerminalRenderer

extension ItemPage {
    /// Tells the session what is selected here, and where a comment on it goes.
    func tell(_ blocks: Rows<Session.Block>?) {
        session.block = blocks.flatMap { state.selected(of: $0) }
        session.comments = comments.connection
    }

    /// The title, and below it what is scrolled.
    func box(_ node: ItemPageQuery.Data.Node?, _ blocks: Rows<Session.Block>?) -> any Element {
        let isFocused = session.isReading || session.focus == .comment
        let isLoading = shown != nil && item.result.isLoading || comments.isLoadingNext
        let place =
            blocks.map { blocks in
                let total = blocks.total - 1
                let count = "\(total) comment\(total == 1 ? "" : "s")"
                return state.selection == 0 ? count : "\(min(state.selection, total)) of \(count)"
            } ?? ""
        let title = node?.asPullRequest == nil ? "Issue" : "Pull request"
        return Box(title, note: isLoading ? "loading\u{2026}" : "", footer: place, isFocused: isFocused) {
            if let error = item.result.error ?? item.fetchError { Text(error.words, .color(.red)).wrapped }
            Sizing { [self] size in
                // On a low screen the title is scrolled with the text.
                if size.height >= 12, let node { titles(node.fragments.itemRow_node) }
                Row(gap: 2) {
                    if let blocks {
                        // Where there is more space than a text needs, the facts stand beside it.
                        let hasFacts = size.width >= 104
                        list(node, blocks, hasTitle: size.height < 12, hasHeader: !hasFacts, isFocused: isFocused)
                        if hasFacts, let node { facts(node.fragments.itemHeader_node).frame(width: 28) }
                    } else {
                        Spacer.vertical
                    }
                }
                .filling(width: 1, height: 1)
            }
        }
    }

    private func list(
        _ node: ItemPageQuery.Data.Node?, _ blocks: Rows<Session.Block>, hasTitle: Bool, hasHeader: Bool,
        isFocused: Bool
    ) -> any Element {
        let row: @MainActor (Session.Block, RowState) -> any Element = { [titles, headers, texts, shown] block, row in
            Row {
                Column {
                    if block.id == shown, let node {
                        if hasTitle { titles(node.fragments.itemRow_node) }
                        if hasHeader { headers(node.fragments.itemHeader_node) }
                    }
                    texts(block.reference, row)
                }
                .filling(width: 1, height: 0)
                // This column is that of the scroll bar.
                Spacer.columns(1)
            }
        }
        return List(blocks, state, isFocused: isFocused, focus: { [session] in session.focus = .item }, row: row)
    }
}
