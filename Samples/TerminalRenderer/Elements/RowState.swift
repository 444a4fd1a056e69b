/// What a row of a list is told besides its data.
public struct RowState: Hashable, Sendable {
    /// True for the selected row.
    public var isSelected: Bool
    /// True if the list has the focus.
    public var isFocused: Bool

    /// Makes a state; without arguments that of an element that is no row.
    public init(isSelected: Bool = false, isFocused: Bool = false) {
        self.isSelected = isSelected
        self.isFocused = isFocused
    }
}
