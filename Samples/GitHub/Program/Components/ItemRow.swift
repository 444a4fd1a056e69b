import Baton
import Foundation
import TerminalRenderer

/// One issue or pull request in a list.
enum ItemRow {
    private static let fragment = graphql(
        """
        fragment ItemRow_node on Node {
          ... on Comment { author { login } updatedAt }
          ... on Labelable { labels(first: 6) { nodes { id name color } } }
          ... on Issue { number title url issueState: state commentCount: comments { totalCount } }
          ... on PullRequest { number title url pullState: state isDraft commentCount: comments { totalCount } }
        }
        """
    )

    static func draw(_ item: ItemRow_node.Data, _ row: RowState, _ now: Date) -> any Element {
        let labels = item.asLabelable?.labels?.nodes?.compactMap { $0 } ?? []
        return Sizing { size in
            Row(gap: 1) {
                item.sign
                Text("#\(item.number)", .dim).frame(width: 5)
                Text(item.title, item.isOpen ? .plain : .dim).filling(width: 1, height: 0)
                if size.width >= 60 {
                    Text.joined(
                        labels.prefix(size.width / 40).map { labelText($0.name, $0.color, isPlain: row.isSelected) })
                }
                if size.width >= 50 {
                    Text(item.comments == 0 ? "" : "\(item.comments)\u{1F4AC}", .dim).aligned(.right).frame(width: 5)
                }
                if size.width >= 70 { Text(item.asComment?.author?.login ?? "ghost", .dim).frame(width: 11) }
                // The last column is that of the scroll bar.
                Text(now.age(of: item.asComment?.updatedAt) + " ", .dim).aligned(.right).frame(width: 5)
            }
        }
        .frame(height: 1)
    }
}

extension ItemRow_node.Data {
    var number: Int { asIssue?.number ?? asPullRequest?.number ?? 0 }
    var title: String { asIssue?.title ?? asPullRequest?.title ?? "" }
    var url: String { asIssue?.url ?? asPullRequest?.url ?? "" }
    var comments: Int { asIssue?.commentCount.totalCount ?? asPullRequest?.commentCount.totalCount ?? 0 }
    var isOpen: Bool { asIssue.map { $0.issueState == .open } ?? (asPullRequest?.pullState == .open) }

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
