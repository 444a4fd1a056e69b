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

    static func draw(_ data: ItemRow_node.Data, _ row: RowState, _ now: Date) -> any Element {
        guard let item = data.listed else { return data.unknown.frame(height: 1) }
        let comments = Text(item.comments == 0 ? "" : "\(item.comments)\u{1F4AC}", .dim)
        return Sizing { size in
            Row(gap: 1) {
                item.sign
                // The columns of numbers are those of most, and a longer one has as many as it needs.
                Text(item.name, .dim).frame(width: max(5, item.name.displayWidth))
                title(of: item, row).filling(width: 1, height: 0)
                if size.width >= 56 { comments.aligned(.right).frame(width: max(4, comments.width)) }
                if size.width >= 84 { Text(item.author, .dim).frame(width: 11) }
                // The last column is that of the scroll bar.
                (.age(of: item.updatedAt, at: now, .dim) + Text(" ")).aligned(.right).frame(width: 5)
            }
        }
        .frame(height: 1)
    }

    /// The title, and as many labels as it leaves space for.
    private static func title(of item: ListedItem, _ row: RowState) -> any Element {
        let title = Text(item.title, item.isOpen ? .plain : .dim)
        return Sizing { size in
            let width = size.width - title.width - 1
            let labels = Text.badges(item.labels, within: width, isPlain: row.isSelected)
            Row(gap: 1) {
                title.filling(width: 1, height: 0)
                if !labels.isEmpty { labels }
            }
        }
    }
}
