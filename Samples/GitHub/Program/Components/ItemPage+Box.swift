import Baton
import TerminalRenderer

extension ItemPage {
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
                if let blocks {
                    list(node, blocks, hasTitle: size.height < 12, isFocused: isFocused)
                } else {
                    Spacer.vertical
                }
            }
        }
    }

    private func list(
        _ node: ItemPageQuery.Data.Node?, _ blocks: Rows<Session.Block>, hasTitle: Bool, isFocused: Bool
    ) -> any Element {
        let row: @MainActor (Session.Block, RowState) -> any Element = { [titles, headers, texts, shown] block, row in
            Row {
                Column {
                    if block.id == shown, let node {
                        if hasTitle { titles(node.fragments.itemRow_node) }
                        headers(node.fragments.itemHeader_node)
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
