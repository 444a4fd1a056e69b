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
                if size.width >= 84 { Text(item.asComment?.author?.login ?? "ghost", .dim).frame(width: 11) }
                // The last column is that of the scroll bar.
                Text(now.age(of: item.asComment?.updatedAt) + " ", .dim).aligned(.right).frame(width: 5)
            }
        }
        .frame(height: 1)
    }

    /// The title, and as many labels as it leaves space for.
    private static func title(of item: ItemRow_node.Data, _ row: RowState) -> any Element {
        let title = Text(item.title, item.isOpen ? .plain : .dim)
        return Sizing { size in
            let labels = labels(of: item, width: size.width - title.width - 1, isPlain: row.isSelected)
            Row(gap: 1) {
                title.filling(width: 1, height: 0)
                if !labels.isEmpty { labels }
            }
        }
    }

    /// Labels in this number of columns: whole ones, and the last one shortened if enough of it can be read.
    private static func labels(of item: ItemRow_node.Data, width: Int, isPlain: Bool) -> Text {
        var (texts, rest): ([Text], Int) = ([], width)
        for case let label? in item.asLabelable?.labels?.nodes ?? [] {
            let name = label.name.truncated(toWidth: max(0, min(20, rest - 2)))
            let text = isPlain ? Text(" \(name) ") : .label(name, label.color)
            guard text.width == label.name.displayWidth + 2 || text.width >= 10 else { break }
            texts.append(text)
            rest -= text.width + 1
        }
        return Text.joined(texts)
    }
}
