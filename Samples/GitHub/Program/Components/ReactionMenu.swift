import TerminalRenderer

/// The reactions to choose from.
enum ReactionMenu {
    static let all: [(content: ReactionContent, sign: String)] = [
        (.thumbsUp, "\u{1F44D}"), (.thumbsDown, "\u{1F44E}"), (.laugh, "\u{1F604}"), (.hooray, "\u{1F389}"),
        (.confused, "\u{1F615}"), (.heart, "\u{1F496}"), (.rocket, "\u{1F680}"), (.eyes, "\u{1F440}"),
    ]

    static func sign(of content: ReactionContent) -> String { all.first { $0.content == content }?.sign ?? "?" }

    static func window() -> any Element {
        Box("React", footer: "esc back", isFocused: true) {
            Text.joined(all.enumerated().map { Text("\($0 + 1)", .bold) + Text(" \($1.sign)") }, by: Text("  ")).wrapped
        }
        .limited(width: 50)
    }
}
