import TerminalRenderer

/// The reactions to choose from.
enum ReactionMenu {
    static let all: [(content: ReactionContent, sign: String)] = [
        (.thumbsUp, "\u{1F44D}"), (.thumbsDown, "\u{1F44E}"), (.laugh, "\u{1F604}"), (.hooray, "\u{1F389}"),
        (.confused, "\u{1F615}"), (.heart, "\u{1F496}"), (.rocket, "\u{1F680}"), (.eyes, "\u{1F440}"),
    ]

    static func sign(of content: ReactionContent) -> String { all.first { $0.content == content }?.sign ?? "?" }

    @MainActor
    static func window(_ session: Session) -> any Element {
        let comment = session.block.flatMap { session.environment.read($0.reference) }
        let given = comment?.asReactable?.reactionGroups?.filter(\.viewerHasReacted).map(\.content) ?? []
        let marked = Set(all.indices.filter { given.contains(all[$0].content) })
        let choices = all.map { Text(" \($0.sign) \($0.content.words)") }
        return Menu("React", choices, marked: marked, isNumbered: true, session.menu) { index in
            session.closeWindow()
            if let block = session.block { Reacting.toggle(all[index].content, on: block, in: session) }
        }
    }
}
