import Baton
import BatonFoundation
import BatonTesting
import Foundation

extension GitHubService {
    /// The resolvers of all fields that are not stored properties of their parents.
    static func resolvers(_ repository: Repository, _ window: RateWindow, _ faults: Faults) -> LocalResolvers {
        var resolvers = LocalResolvers()
        resolvers.scalar("DateTime", Date.self) { ISO8601DateTime.encode($0) }
        for type in ["Node", "Comment", "Reactable", "Labelable", "Assignable", "SearchResultItem"] {
            resolvers.resolveType(type) { ($0 as? Item)?.typeName }
        }
        resolvers.object("User", User.self)
        resolvers.object("Label", Label.self)
        resolvers.object("IssueComment", Comment.self)
        addQuery(to: &resolvers, repository, window)
        addObjects(to: &resolvers, repository)
        addMutation(to: &resolvers, repository, faults)
        return resolvers
    }

    private static func addQuery(to resolvers: inout LocalResolvers, _ repository: Repository, _ window: RateWindow) {
        resolvers.field("Query", "viewer") { _ in repository.viewer }
        resolvers.field("Query", "rateLimit") { _ in window.current }
        resolvers.field("Query", "repository") { context in
            let path = "\(context.arguments.string("owner") ?? "")/\(context.arguments.string("name") ?? "")"
            guard path.lowercased() == "\(Repository.owner)/\(Repository.name)" else {
                throw error("NOT_FOUND", "Could not resolve to a Repository with the name '\(path)'.")
            }
            return repository
        }
        resolvers.field("Query", "node") { context in
            let id = context.arguments.string("id") ?? ""
            if id == repository.id { return repository }
            if let node: any Sendable = repository.item(id) ?? repository.comment(id) { return node }
            throw missing(id)
        }
        resolvers.field("Query", "search") { context in
            let search = Search(context.arguments.string("query") ?? "")
            return try page(repository.items(where: search.matches), context)
        }
        resolvers.field("SearchResultItemConnection", "issueCount", of: Page.self) { page, _ in page.totalCount }
    }

    private static func addObjects(to resolvers: inout LocalResolvers, _ repository: Repository) {
        resolvers.object("Repository", Repository.self) { type in
            type.field("issues") { repository, context in
                let filter = context.arguments.object("filterBy")
                return try page(repository.items { !$0.isPull && matches($0, filter) }, context)
            }
            type.field("pullRequests") { repository, context in
                try page(repository.items { $0.isPull && matches($0, context.arguments) }, context)
            }
            type.field("labels") { try Page($0.labels, $1) { index, _ in (index, 0) } }
            type.field("assignableUsers") { try Page($0.users, $1) { index, _ in (index, 0) } }
        }
        for type in ["Issue", "PullRequest"] {
            resolvers.field(type, "id", of: Item.self) { item, _ in item.id }
            resolvers.field(type, "url", of: Item.self) { item, _ in item.url }
            resolvers.field(type, "labels", of: Item.self) { try Page($0.labels, $1) { index, _ in (index, 0) } }
            resolvers.field(type, "assignees", of: Item.self) { try Page($0.assignees, $1) { index, _ in (index, 0) } }
            resolvers.field(type, "comments", of: Item.self) { try Page($0.comments, $1) { index, _ in (index, 0) } }
            resolvers.field(type, "reactionGroups", of: Item.self) { item, _ in item.reactions.groups }
            resolvers.field(type, "viewerDidAuthor", of: Item.self) { item, _ in
                item.author.id == repository.viewer.id
            }
        }
        resolvers.field("IssueComment", "updatedAt", of: Comment.self) { comment, _ in comment.createdAt }
        resolvers.field("IssueComment", "reactionGroups", of: Comment.self) { comment, _ in comment.reactions.groups }
        resolvers.field("IssueComment", "viewerDidAuthor", of: Comment.self) { comment, _ in
            comment.author.id == repository.viewer.id
        }
        for type in ["Issue", "PullRequest", "IssueComment", "SearchResultItem"] {
            resolvers.field("\(type)Connection", "edges", of: Page.self) { page, _ in try page.edges }
            resolvers.field("\(type)Connection", "pageInfo", of: Page.self) { page, _ in try page.pageInfo }
        }
        for type in ["Label", "User"] {
            resolvers.field("\(type)Connection", "nodes", of: Page.self) { page, _ in try page.edges.map(\.node) }
        }
    }

    /// Items are in the order of their last changes, the newest first.
    private static func page(_ items: [Item], _ context: LocalFieldContext) throws -> Page {
        try Page(items, context) { _, item in (-Int(item.updatedAt.timeIntervalSince1970), -item.number) }
    }

    /// Whether an item satisfies the arguments `states`, `labels` and `createdBy`, as far as they are given.
    private static func matches(_ item: Item, _ filter: LocalArguments?) -> Bool {
        func contains(_ name: String, _ values: [String]) -> Bool {
            guard let wanted = filter?.list(name) else { return true }
            return wanted.contains { value in values.contains { .string($0) == value } }
        }
        return contains("states", [item.state]) && contains("labels", item.labels.map(\.name))
            && (filter?.string("createdBy").map { $0 == item.author.login } ?? true)
    }
}
