/// The data of the embedded service, as plain values; `starwars --dump-data` prints them for other servers.
///
/// All values refer to each other by identifier. A relation is stored once, on one side; ``SagaIndex`` follows it in
/// the other direction.
enum Saga {
    /// A film; characters, planets and starships list their films.
    struct Film: Encodable, Sendable {
        var id: String { Self.id(number) }
        let number: Int
        let episode: String
        let title: String
        let released: String
        let director: String
        let producers: [String]
        let synopsis: String

        /// The identifier of the film with this number.
        static func id(_ number: Int) -> String { "film:\(number)" }
    }

    /// The kind of a character, which is the name of its type in the schema.
    enum Kind: String, Encodable, Sendable {
        case human = "Human"
        case droid = "Droid"
        case creature = "Creature"
    }

    /// A character, with its films and its friends.
    struct Character: Encodable, Sendable {
        let id: String
        let kind: Kind
        let name: String
        var aliases: [String] = []
        var born: String?
        var centimeters: Int?
        var homeworld: String?
        var species: String?
        /// The purpose of a droid.
        var function: String?
        let films: [Int]
        var friends: [String] = []
    }

    /// A planet, with the films in which it occurs.
    struct Planet: Encodable, Sendable {
        let id: String
        let name: String
        var climate: String?
        var terrain: String?
        var films: [Int] = []
    }

    /// A species of living beings.
    struct Species: Encodable, Sendable {
        let id: String
        let name: String
        let classification: String
        var language: String?
        var homeworld: String?
    }

    /// A starship or station, with its pilots and the films in which it occurs.
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

    /// A review of a film; newer reviews are later in the list.
    struct Review: Encodable, Sendable {
        let id: String
        let film: Int
        let stars: Int
        var commentary: String?
    }
}
