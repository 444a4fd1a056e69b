import TerminalRenderer

/// A list on the left of the screen.
protocol ListPane: Component {
    /// What the selected row leads to.
    var place: Place? { get }
}
