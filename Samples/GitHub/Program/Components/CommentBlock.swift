import Baton
import Foundation
import TerminalRenderer

/// The text of an issue, a pull request or a comment, with its author and the reactions to it.
enum CommentBlock {
    private static let fragment = graphql(
        """
        fragment CommentBlock_comment on Comment {
          id
          author { login }
          createdAt
          body
          viewerDidAuthor
          ... on Reactable {
            reactionGroups { content viewerHasReacted reactors { totalCount } }
          }
        }
        """
    )

    static func draw(_ comment: CommentBlock_comment.Data, _ row: RowState, _ now: Date) -> any Element {
        let author = Text(comment.author?.login ?? "ghost", comment.viewerDidAuthor ? .color(.cyan).bold : .bold)
        let groups = comment.asReactable?.reactionGroups?.filter { $0.reactors.totalCount > 0 } ?? []
        return Column {
            author + Text("  ") + .age(of: comment.createdAt, at: now, .dim)
            Text.markdown(comment.body).wrapped
            if !groups.isEmpty {
                Text.joined(
                    groups.map { group in
                        let style = group.viewerHasReacted ? Style.color(.cyan).bold : .dim
                        return Text("\(ReactionMenu.sign(of: group.content)) \(group.reactors.totalCount)", style)
                    }, by: Text("  ")
                ).wrapped
            }
            Spacer.rows(1)
        }
        // Longer lines are hard to read.
        .limited(width: 96)
    }
}
