import TerminalRenderer

extension ItemRow_node.Data {
    var number: Int { asIssue?.number ?? asPullRequest?.number ?? 0 }
    var title: String { asIssue?.title ?? asPullRequest?.title ?? "" }
    var url: String { asIssue?.url ?? asPullRequest?.url ?? "" }
    var comments: Int { asIssue?.commentCount.totalCount ?? asPullRequest?.commentCount.totalCount ?? 0 }
    var author: String { asComment?.author?.login ?? "ghost" }
    var isOpen: Bool { asIssue.map { $0.issueState == .open } ?? (asPullRequest?.pullState == .open) }

    var labels: [(name: String, color: Color)] {
        asLabelable?.labels?.nodes?.compactMap { $0 }.map { ($0.name, .label($0.color)) } ?? []
    }

    /// The state in words.
    var state: String {
        guard let pull = asPullRequest else { return isOpen ? "open" : "closed" }
        return pull.pullState == .merged ? "merged" : !isOpen ? "closed" : pull.isDraft ? "draft" : "open"
    }

    /// The state as a coloured sign.
    var sign: Text {
        switch state {
        case "open": Text("\u{25CB}", .color(.green))
        case "draft": Text("\u{25CC}", .dim)
        case "merged": Text("\u{25C6}", .color(.magenta))
        default: Text("\u{25CF}", .color(asPullRequest == nil ? .magenta : .red))
        }
    }
}
