extension Saga {
    /// The species of the characters.
    static let species: [Species] = [
        Species(
            id: "species:human",
            name: "Human",
            classification: "mammal",
            language: "Galactic Basic",
            homeworld: "planet:coruscant"
        ),
        Species(
            id: "species:wookiee",
            name: "Wookiee",
            classification: "mammal",
            language: "Shyriiwook",
            homeworld: "planet:kashyyyk"
        ),
        Species(
            id: "species:gungan",
            name: "Gungan",
            classification: "amphibian",
            language: "Gunganese",
            homeworld: "planet:naboo"
        ),
        Species(
            id: "species:zabrak",
            name: "Zabrak",
            classification: "mammal",
            language: "Zabraki",
            homeworld: "planet:dathomir"
        ),
        Species(
            id: "species:hutt",
            name: "Hutt",
            classification: "gastropod",
            language: "Huttese",
            homeworld: "planet:nal-hutta"
        ),
        Species(
            id: "species:kaleesh",
            name: "Kaleesh",
            classification: "reptile",
            language: "Kaleesh",
            homeworld: "planet:kalee"
        ),
        Species(
            id: "species:mon-calamari",
            name: "Mon Calamari",
            classification: "amphibian",
            language: "Mon Calamarian",
            homeworld: "planet:mon-cala"
        ),
        Species(
            id: "species:ewok",
            name: "Ewok",
            classification: "mammal",
            language: "Ewokese",
            homeworld: "planet:endor"
        ),
    ]
}
