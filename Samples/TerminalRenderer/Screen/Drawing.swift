extension Screen {
    /// What happens to a component of a screen: a ``Component``, or one reference of a ``FragmentComponent``.
    public enum Drawing: Hashable, Sendable {
        /// The component with this number was told that data has changed, and is drawn with the next frame if it is
        /// still shown.
        case told(Int)
        /// The component with this number was drawn: its content or its function was called.
        case drawn(Int)
    }
}
