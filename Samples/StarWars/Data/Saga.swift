/// The facts behind the embedded service, as plain values; `starwars --dump-data` prints them for other servers.
///
/// Everything refers to everything else by identifier. A relation is written once, on the side named here, and followed
/// in the other direction by ``SagaIndex``.
enum Saga {
    /// A film; what plays in it says so itself.
    struct Film: Encodable, Sendable {
        var id: String { "film:\(number)" }
        let number: Int
        let episode: String
        let title: String
        let released: String
        let director: String
        let producers: [String]
        let synopsis: String
    }

    /// What a character is; the name of its type in the schema.
    enum Kind: String, Encodable, Sendable {
        case human = "Human"
        case droid = "Droid"
        case creature = "Creature"
    }

    /// A character, with the films that it plays in and the friends that it counts on.
    struct Character: Encodable, Sendable {
        let id: String
        let kind: Kind
        let name: String
        var aliases: [String] = []
        var born: String?
        var centimeters: Int?
        var homeworld: String?
        var species: String?
        /// What a droid was built for.
        var function: String?
        let films: [Int]
        var friends: [String] = []
    }

    /// A world, with the films that visit it.
    struct Planet: Encodable, Sendable {
        let id: String
        let name: String
        var climate: String?
        var terrain: String?
        var films: [Int] = []
    }

    /// A kind of living beings.
    struct Species: Encodable, Sendable {
        let id: String
        let name: String
        let classification: String
        var language: String?
        var homeworld: String?
    }

    /// A vessel, with its pilots and the films that it flies in.
    struct Starship: Encodable, Sendable {
        let id: String
        let name: String
        let model: String
        var manufacturer: String?
        let type: String
        var meters: Double?
        var pilots: [String] = []
        let films: [Int]
    }

    /// What somebody thinks of a film; the later in the list, the newer.
    struct Review: Encodable, Sendable {
        let id: String
        let film: Int
        let stars: Int
        var commentary: String?
    }
}
