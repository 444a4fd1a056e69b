import Baton
import TerminalRenderer

extension ItemPage {
    /// The number of the selected comment.
    func place(in blocks: Rows<Session.Block>) -> String {
        let total = blocks.total - 1
        let count = "\(total) comment\(total == 1 ? "" : "s")"
        if state.isGoingToEnd { return "any key stops, \(blocks.count - 1) of \(count)" }
        return state.selection == 0 ? count : "\(min(state.selection, total)) of \(count)"
    }

    /// The text and the comments, below what of the head is scrolled with them.
    func list(
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
