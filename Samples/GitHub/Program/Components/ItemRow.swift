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
        Sizing { size in
            Row(gap: 1) {
                item.sign
                Text("#\(item.number)", .dim).frame(width: 5)
                title(of: item, row).filling(width: 1, height: 0)
                if size.width >= 56 {
                    Text(item.comments == 0 ? "" : "\(item.comments)\u{1F4AC}", .dim).aligned(.right).frame(width: 4)
                }
                if size.width >= 84 { Text(item.author, .dim).frame(width: 11) }
                // The last column is that of the scroll bar.
                (.age(of: item.asComment?.updatedAt, at: now, .dim) + Text(" ")).aligned(.right).frame(width: 5)
            }
        }
        .frame(height: 1)
    }

    /// The title, and as many labels as it leaves space for.
    private static func title(of item: ItemRow_node.Data, _ row: RowState) -> any Element {
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
