import Baton
import BatonFoundation

/// Sends a comment, which is shown before the server has answered.
enum Commenting {
    private static let mutation = graphql(
        """
        mutation CommentingMutation($input: AddCommentInput!, $connections: [ID!]!) {
          addComment(input: $input) {
            commentEdge @appendEdge(connections: $connections) { cursor node { id ...CommentBlock_comment } }
            subject {
              id
              ... on Issue { updatedAt commentCount: comments { totalCount } }
              ... on PullRequest { updatedAt commentCount: comments { totalCount } }
            }
          }
        }
        """
    )

    /// Sends the draft. If that fails, the text is in the draft again.
    @MainActor
    static func send(to target: Session.Target, in session: Session) {
        let draft = session.writing.drafts[target.id]
        let text = draft.text
        guard text.contains(where: { !$0.isWhitespace }) else { return }
        guard !session.isGone else { return session.showGone() }
        guard let comments = session.comments else { return session.show("The comments are still on their way.") }
        draft.replace(with: "")
        let key = session.writing.sent(text, about: target.id)
        session.focus = .item
        let (viewer, sent) = (session.viewer, "sent-\(UInt64.random(in: 0 ... .max))")
        session.sent = sent
        let comment: JSONValue = [
            "id": .string(sent), "body": .string(text), "viewerDidAuthor": true,
            "author": ["__typename": "User", "id": .string(viewer?.id ?? ""), "login": .string(viewer?.login ?? "")],
            "createdAt": ISO8601DateTime.encode(session.now()), "reactionGroups": [],
        ]
        let mutation = CommentingMutation(
            input: .init(body: text, subjectId: target.id), connections: [comments])
        let item = session.environment.read(target.reference)
        let count = item?.listed?.comments ?? 0
        let subject: JSONValue = [
            "__typename": .string(item?.__typename ?? ""), "id": .string(target.id),
            "commentCount": ["totalCount": .int(count + 1)],
        ]
        let payload: JSONValue = ["commentEdge": ["cursor": "", "node": comment], "subject": subject]
        session.commit(
            mutation, expecting: ["addComment": payload], done: "Sent.", failed: "Not sent, c has your text again."
        ) { isDone in
            session.writing.ended(key)
            if !isDone { draft.replace(with: draft.text.isEmpty ? text : "\(text)\n\(draft.text)") }
            session.keep()
        }
    }
}
