import TerminalRenderer

/// The window in which a comment is written.
@MainActor
enum CommentWindow {
    static func draw(_ session: Session) -> any Element {
        guard let target = session.target else { return Text("") }
        return Box("Comment", note: "esc keeps the draft", footer: "ctrl-s sends", isFocused: true) {
            TextField(session.writing.drafts[target.id], placeholder: "What do you think?").frame(width: 76, height: 8)
        }
        .onKey { key in
            guard key == .control("s") else { return false }
            Commenting.send(to: target, in: session)
            return true
        }
    }
}
