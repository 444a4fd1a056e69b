/// What the right pane shows.
enum Place: Hashable, Sendable {
    case film(String)
    case character(String)
    /// A planet, a species or a starship.
    case other(String)

    /// The place of an object, by the name of its type.
    init(type: String, id: String) {
        switch type {
        case "Film": self = .film(id)
        case "Human", "Droid", "Creature": self = .character(id)
        default: self = .other(id)
        }
    }
}
