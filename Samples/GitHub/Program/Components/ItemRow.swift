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
