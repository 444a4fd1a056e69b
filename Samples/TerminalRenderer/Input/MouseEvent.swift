/// A button of the mouse that was pressed or released, or a turn of its wheel.
public struct MouseEvent: Hashable, Sendable {
    /// What the mouse did.
    public enum Action: Hashable, Sendable {
        /// A button was pressed; 0 is the left one, 1 the middle one, 2 the right one.
        case press(button: Int)
        /// A button was released.
        case release(button: Int)
        /// The wheel was turned upwards.
        case wheelUp
        /// The wheel was turned downwards.
        case wheelDown
    }

    /// What the mouse did.
    public var action: Action
    /// The column of the pointer, counted from 0.
    public var column: Int
    /// The row of the pointer, counted from 0.
    public var row: Int
    /// The keys that were held.
    public var modifiers: KeyModifiers

    /// Makes an event.
    public init(_ action: Action, column: Int, row: Int, modifiers: KeyModifiers = []) {
        self.action = action
        self.column = column
        self.row = row
        self.modifiers = modifiers
    }
}
