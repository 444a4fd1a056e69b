import Baton
import Foundation
import TerminalRenderer

/// What a list knows of an issue or a pull request.
struct ListedItem {
    let isPull: Bool
    let number: Int
    let title: String
    let url: String
    let comments: Int
    let author: String
    let isOpen: Bool
    /// The state in words.
    let state: String
    let updatedAt: Date?
    let labels: [(name: String, color: Color)]

    /// The number as people write it.
    var name: String { "#\(number)" }

    /// The state as a coloured sign.
    var sign: Text {
        switch state {
        case "open": Text("\u{25CB}", .color(.green))
        case "draft": Text("\u{25CC}", .dim)
        case "merged": Text("\u{25C6}", .color(.magenta))
        default: Text("\u{25CF}", .color(isPull ? .red : .magenta))
        }
    }
}

extension ItemRow_node.Data {
    /// The issue or the pull request; nil for a node of another type, and for one of which nothing is known yet.
    var listed: ListedItem? {
        let labels = asLabelable?.labels?.nodes?.compactMap { $0 }.map { ($0.name, Color.label($0.color)) } ?? []
        let (author, updatedAt) = (asComment?.author?.login ?? "ghost", asComment?.updatedAt)
        if let issue = asIssue {
            let isOpen = issue.issueState == .open
            return ListedItem(
                isPull: false, number: issue.number, title: issue.title, url: issue.url,
                comments: issue.commentCount.totalCount, author: author, isOpen: isOpen,
                state: isOpen ? "open" : "closed", updatedAt: updatedAt, labels: labels)
        }
        guard let pull = asPullRequest else { return nil }
        let isOpen = pull.pullState == .open
        return ListedItem(
            isPull: true, number: pull.number, title: pull.title, url: pull.url,
            comments: pull.commentCount.totalCount, author: author, isOpen: isOpen,
            state: pull.pullState == .merged ? "merged" : !isOpen ? "closed" : pull.isDraft ? "draft" : "open",
            updatedAt: updatedAt, labels: labels)
    }

    /// What stands in the place of an item that is no issue and no pull request.
    var unknown: Text {
        let isKnown = ["", "Issue", "PullRequest"].contains(__typename)
        return Text(isKnown ? "" : "A \(__typename), which this program cannot show.", .dim)
    }
}
