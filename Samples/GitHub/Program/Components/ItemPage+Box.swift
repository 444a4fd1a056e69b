import Baton
import TerminalRenderer

extension ItemPage {
    /// The title, and below it what is scrolled.
    func box(_ node: ItemPageQuery.Data.Node?, _ blocks: Rows<Session.Block>?) -> any Element {
        let isFocused = session.isReading
        let isLoading = shown != nil && item.result.isLoading || comments.isLoadingNext
        let isPull = node.map { $0.asPullRequest != nil } ?? session.filter.isPull
        let (title, note) = (isPull ? "Pull request" : "Issue", isLoading ? "loading\u{2026}" : "")
        return Box(title, note: note, footer: blocks.map(place) ?? "", isFocused: isFocused) {
            if blocks == nil, let target = session.target, target.id == shown { rows(target.reference) }
            if let failure { failure.wrapped }
            Sizing { [self] size in
                // On a low screen the title is scrolled with the text.
                if size.height >= 12, blocks != nil, let node { titles(node.fragments.itemRow_node) }
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
}
