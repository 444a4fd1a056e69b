/// The capabilities of standard error.
package struct Terminal: Hashable, Sendable {
    /// Whether colours are shown unless an option says otherwise.
    package let showsColors: Bool

    /// A terminal shows colours unless it is a dumb one, or `NO_COLOR` is not empty (https://no-color.org).
    package init(isTerminal: Bool, environment: [String: String]) {
        let kind = environment["TERM"] ?? ""
        let isRefused = environment["NO_COLOR"]?.isEmpty == false
        showsColors = isTerminal && !isRefused && !kind.isEmpty && kind != "dumb"
    }

    /// A file or a pipe.
    package static let none = Terminal(isTerminal: false, environment: [:])
}
