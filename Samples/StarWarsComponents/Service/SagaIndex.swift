/// The data, with lookups by identifier and along relations in both directions.
struct SagaIndex: Sendable {
    private let films = Dictionary(uniqueKeysWithValues: Saga.films.map { ($0.id, $0) })
    private let characters = Dictionary(uniqueKeysWithValues: Saga.characters.map { ($0.id, $0) })
    private let planets = Dictionary(uniqueKeysWithValues: Saga.planets.map { ($0.id, $0) })
    private let species = Dictionary(uniqueKeysWithValues: Saga.species.map { ($0.id, $0) })
    private let starships = Dictionary(uniqueKeysWithValues: Saga.starships.map { ($0.id, $0) })

    func film(_ id: String) -> Saga.Film? { films[id] }
    func film(number: Int) -> Saga.Film? { films[Saga.Film.id(number)] }
    func character(_ id: String) -> Saga.Character? { characters[id] }
    func planet(_ id: String?) -> Saga.Planet? { id.flatMap { planets[$0] } }
    func species(_ id: String?) -> Saga.Species? { id.flatMap { species[$0] } }
    func starship(_ id: String) -> Saga.Starship? { starships[id] }

    func films(_ numbers: [Int]) -> [Saga.Film] { Saga.films.filter { numbers.contains($0.number) } }
    func characters(_ ids: [String]) -> [Saga.Character] { ids.compactMap { characters[$0] } }

    func characters(in film: Saga.Film) -> [Saga.Character] {
        Saga.characters.filter { $0.films.contains(film.number) }
    }

    func planets(in film: Saga.Film) -> [Saga.Planet] {
        Saga.planets.filter { $0.films.contains(film.number) }
    }

    func starships(in film: Saga.Film) -> [Saga.Starship] {
        Saga.starships.filter { $0.films.contains(film.number) }
    }

    func starships(flownBy character: Saga.Character) -> [Saga.Starship] {
        Saga.starships.filter { $0.pilots.contains(character.id) }
    }

    func residents(of planet: Saga.Planet) -> [Saga.Character] {
        Saga.characters.filter { $0.homeworld == planet.id }
    }

    func members(of species: Saga.Species) -> [Saga.Character] {
        Saga.characters.filter { $0.species == species.id }
    }
}

extension Saga.Film {
    /// The trilogy's name in the schema.
    var trilogy: String {
        number <= 3 ? "PREQUEL" : number <= 6 ? "ORIGINAL" : "SEQUEL"
    }
}
