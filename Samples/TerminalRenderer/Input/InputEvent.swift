/// What a person does at a terminal.
public enum InputEvent: Hashable, Sendable {
    /// A key was pressed.
    case key(Key)
    /// A text was pasted. Line ends are line feeds.
    case paste(String)
    /// The mouse was used.
    case mouse(MouseEvent)
}
