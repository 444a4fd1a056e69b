import Baton
import BatonTesting
import Foundation

extension GitHubService {
    private struct Subject: Sendable {
        let subject: any Sendable
        var commentEdge: Page.Edge?
    }

    static func addMutation(to resolvers: inout LocalResolvers, _ repository: Repository, _ faults: Faults) {
        let counter = Counter()
        resolvers.field("Mutation", "addComment") { context in
            let input = context.arguments.object("input")
            let (id, body) = (input?.string("subjectId") ?? "", input?.string("body") ?? "")
            guard body.contains(where: { !$0.isWhitespace }) else {
                throw error("UNPROCESSABLE", "Body can't be blank")
            }
            if faults.failsComment(counter.next()) { throw error("SERVICE_UNAVAILABLE", "Could not add the comment") }
            var edge: Page.Edge?
            let item = try repository.change(id) { item in
                guard !item.isLocked else {
                    throw error("FORBIDDEN", "Unable to create comment because issue is locked.")
                }
                let index = item.comments.count
                let comment = Comment(
                    id: "IC_\(item.number)_\(index + 1)", author: repository.viewer, body: body, createdAt: Date())
                item.comments.append(comment)
                edge = Page.Edge(node: comment, cursor: "\(index).0")
            }
            guard let item else { throw missing(id) }
            return Subject(subject: item, commentEdge: edge)
        }
        for (field, state, key) in [
            ("closeIssue", "CLOSED", "issue"), ("reopenIssue", "OPEN", "issue"),
            ("closePullRequest", "CLOSED", "pullRequest"), ("reopenPullRequest", "OPEN", "pullRequest"),
        ] {
            resolvers.field("Mutation", field) { context in
                let id = context.arguments.object("input")?.string("\(key)Id") ?? ""
                let item = try repository.change(id) { item in
                    guard item.state != "MERGED" else {
                        throw error("UNPROCESSABLE", "Could not change a merged pull request.")
                    }
                    (item.state, item.isDraft) = (state, item.isDraft && state == "OPEN")
                    item.stateReason = item.isPull ? nil : state == "OPEN" ? "REOPENED" : "COMPLETED"
                }
                guard let item, item.isPull == (key == "pullRequest") else { throw missing(id) }
                return [key: item]
            }
        }
        for (field, isAdded) in [("addReaction", true), ("removeReaction", false)] {
            resolvers.field("Mutation", field) { context in
                let input = context.arguments.object("input")
                let (id, content) = (input?.string("subjectId") ?? "", input?.string("content") ?? "")
                let subject = repository.react(id) { reactions in
                    if isAdded { reactions.own.insert(content) } else { reactions.own.remove(content) }
                }
                guard let subject else { throw missing(id) }
                return Subject(subject: subject)
            }
        }
    }
}
