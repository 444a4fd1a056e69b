import Foundation

/// A person with an account.
struct User: Sendable {
    let id: String
    let login: String
}

/// A label of the repository; the colour has six hexadecimal digits.
struct Label: Sendable {
    let id: String
    let name: String
    let color: String
}

/// Who has reacted how to an issue, a pull request or a comment.
struct Reactions: Sendable {
    /// The contents, in the order in which GitHub lists them.
    static let contents = ["THUMBS_UP", "THUMBS_DOWN", "LAUGH", "HOORAY", "CONFUSED", "HEART", "ROCKET", "EYES"]

    /// The number of other people by content.
    var others: [String: Int] = [:]
    /// The contents of the viewer's reactions.
    var own: Set<String> = []

    /// One content with the number of people who chose it, as the schema has it; the names are those of its fields.
    struct Group: Sendable {
        struct Reactors: Sendable {
            let totalCount: Int
        }

        let content: String
        let viewerHasReacted: Bool
        let reactors: Reactors
    }

    var groups: [Group] {
        Self.contents.map { content in
            let isOwn = own.contains(content)
            return Group(
                content: content, viewerHasReacted: isOwn,
                reactors: Group.Reactors(totalCount: (others[content] ?? 0) + (isOwn ? 1 : 0)))
        }
    }
}

/// A comment. Its id names its item and its place there.
struct Comment: Sendable {
    let id: String
    let author: User
    let body: String
    let createdAt: Date
    var reactions = Reactions()
}

/// An issue or a pull request. Fields of the schema without a resolver are the properties of the same name.
struct Item: Sendable {
    let isPull: Bool
    let number: Int
    let title: String
    let body: String
    let author: User
    let createdAt: Date
    var updatedAt: Date
    /// `OPEN`, `CLOSED` or `MERGED`.
    var state: String
    var stateReason: String?
    var labels: [Label]
    var assignees: [User]
    var comments: [Comment] = []
    var reactions = Reactions()
    /// Nobody may comment on a locked item.
    var isLocked = false
    // Of pull requests only.
    var isDraft = false
    var baseRefName = "main"
    var headRefName = ""
    var additions = 0
    var deletions = 0
    var changedFiles = 0
    /// What a search looks into.
    let searched: String

    var typeName: String { isPull ? "PullRequest" : "Issue" }
    var id: String { "\(isPull ? "PR" : "I")_\(number)" }
    var url: String {
        "https://github.com/\(Repository.owner)/\(Repository.name)/\(isPull ? "pull" : "issues")/\(number)"
    }
}
