import Baton
import TerminalRenderer

/// What stands above the text of an issue or pull request.
enum ItemHeader {
    private static let fragment = graphql(
        """
        fragment ItemHeader_node on Node {
          ... on Comment { author { login } createdAt updatedAt }
          ... on Assignable { assignees(first: 10) { nodes { id login } } }
          ... on Issue { stateReason }
          ... on PullRequest { baseRefName headRefName additions deletions changedFiles }
        }
        """
    )

    /// The title with state, number and labels.
    static func title(_ data: ItemRow_node.Data) -> any Element {
        guard let item = data.listed else { return data.unknown.wrapped }
        let facts = item.sign + Text(" \(item.state)", .bold) + Text(" \(item.name)", .dim)
        return Column {
            Text(item.title, .bold).wrapped
            Text.joined([facts] + item.labels.map { .badge($0.name, $0.color) }).wrapped
        }
    }

    /// What a list knows of it, while there is nothing else.
    static func known(_ item: ItemRow_node.Data) -> any Element {
        Column {
            title(item)
            Text(item.listed?.author ?? "", .bold)
        }
    }

    /// Who works on it, and what a pull request changes.
    static func draw(_ item: ItemHeader_node.Data) -> any Element {
        Column {
            if let pull = item.asPullRequest {
                pull.branches
                pull.changes + Text(" in \(pull.changedFiles) files", .dim)
            }
            if let reason = item.reason { Text(reason, .dim) }
            if !item.people.isEmpty { Text("assigned to \(item.people.joined(separator: ", "))", .dim).wrapped }
            Spacer.rows(1)
        }
    }
}
