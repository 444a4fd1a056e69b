import BatonTesting

extension SagaService {
    static func addCharacter(to resolvers: inout LocalResolvers, _ index: SagaIndex) {
        resolvers.field("Character", "appearsIn", of: Saga.Character.self) { character, _ in
            index.films(character.films).map(\.episode)
        }
        resolvers.field("Character", "films", of: Saga.Character.self) { character, context in
            try page(index.films(character.films), context, id: \.id)
        }
        resolvers.field("Character", "friends", of: Saga.Character.self) { character, context in
            try page(index.characters(character.friends), context, id: \.id)
        }
        resolvers.field("Character", "affiliations", of: Saga.Character.self) { character, _ in
            var affiliations: [any Sendable] = []
            if let planet = index.planet(character.homeworld) { affiliations.append(planet) }
            if let species = index.species(character.species) { affiliations.append(species) }
            return affiliations + index.starships(flownBy: character).map { $0 as any Sendable }
        }
        for type in ["Human", "Droid", "Creature"] {
            resolvers.field(type, "height", of: Saga.Character.self) { character, context in
                length(character.centimeters.map { Double($0) / 100 }, context)
            }
        }
        for type in ["Human", "Creature"] {
            resolvers.field(type, "birthYear", of: Saga.Character.self) { character, _ in character.born }
            resolvers.field(type, "homeworld", of: Saga.Character.self) { character, _ in
                index.planet(character.homeworld)
            }
        }
        resolvers.field("Droid", "primaryFunction", of: Saga.Character.self) { character, _ in character.function }
        resolvers.field("Creature", "species", of: Saga.Character.self) { character, _ in
            index.species(character.species)
        }
    }

    /// Planets, species and starships.
    static func addOthers(to resolvers: inout LocalResolvers, _ index: SagaIndex) {
        resolvers.object("Planet", Saga.Planet.self) { planet in
            planet.field("films") { try page(index.films($0.films), $1, id: \.id) }
            planet.field("residents") { try page(index.residents(of: $0), $1, id: \.id) }
        }
        resolvers.object("Species", Saga.Species.self) { species in
            species.field("homeworld") { index.planet($0.homeworld) }
            species.field("members") { try page(index.members(of: $0), $1, id: \.id) }
        }
        resolvers.object("Starship", Saga.Starship.self) { starship in
            starship.field("starshipClass") { $0.type }
            starship.field("length") { length($0.meters, $1) }
            starship.field("films") { try page(index.films($0.films), $1, id: \.id) }
            starship.field("pilots") { try page(index.characters($0.pilots), $1, id: \.id) }
        }
    }
}
