/// What the right pane shows.
enum Place: Hashable, Sendable {
    case film(String)
    case character(String)
    /// A planet, a species or a starship.
    case other(String)
}
