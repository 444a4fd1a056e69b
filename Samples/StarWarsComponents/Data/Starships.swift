extension Saga {
    /// Starships and stations, roughly in the order in which they enter the story.
    static let starships: [Starship] = [
        Starship(
            id: "starship:naboo-royal-starship",
            name: "Naboo Royal Starship",
            model: "J-type 327 Nubian",
            manufacturer: "Theed Palace Space Vessel Engineering Corps",
            type: "yacht",
            meters: 76,
            pilots: ["character:padme-amidala", "character:qui-gon-jinn"],
            films: [1]
        ),
        Starship(
            id: "starship:naboo-starfighter",
            name: "Naboo Starfighter",
            model: "N-1",
            manufacturer: "Theed Palace Space Vessel Engineering Corps",
            type: "starfighter",
            meters: 11,
            pilots: ["character:anakin-skywalker", "character:padme-amidala"],
            films: [1, 2]
        ),
        Starship(
            id: "starship:scimitar",
            name: "Scimitar",
            model: "modified Star Courier",
            manufacturer: "Republic Sienar Systems",
            type: "space transport",
            meters: 26.5,
            pilots: ["character:darth-maul"],
            films: [1]
        ),
        Starship(
            id: "starship:jedi-starfighter",
            name: "Jedi Starfighter",
            model: "Delta-7",
            manufacturer: "Kuat Systems Engineering",
            type: "starfighter",
            meters: 8,
            pilots: ["character:obi-wan-kenobi", "character:mace-windu"],
            films: [2]
        ),
        Starship(
            id: "starship:firespray-gunship",
            name: "Firespray Gunship",
            model: "Firespray-31",
            manufacturer: "Kuat Systems Engineering",
            type: "patrol craft",
            meters: 21.5,
            pilots: ["character:jango-fett", "character:boba-fett"],
            films: [2, 5]
        ),
        Starship(
            id: "starship:jedi-interceptor",
            name: "Jedi Interceptor",
            model: "Eta-2 Actis",
            manufacturer: "Kuat Systems Engineering",
            type: "starfighter",
            meters: 5.5,
            pilots: ["character:anakin-skywalker", "character:obi-wan-kenobi"],
            films: [3]
        ),
        Starship(
            id: "starship:invisible-hand",
            name: "Invisible Hand",
            model: "Providence-class",
            manufacturer: "Free Dac Volunteers Engineering Corps",
            type: "capital ship",
            meters: 1088,
            pilots: ["character:general-grievous"],
            films: [3]
        ),
        Starship(
            id: "starship:tantive-iv",
            name: "Tantive IV",
            model: "CR90 corvette",
            manufacturer: "Corellian Engineering Corporation",
            type: "corvette",
            meters: 126.7,
            pilots: ["character:leia-organa"],
            films: [3, 4, 9]
        ),
        Starship(
            id: "starship:millennium-falcon",
            name: "Millennium Falcon",
            model: "YT-1300 light freighter",
            manufacturer: "Corellian Engineering Corporation",
            type: "freighter",
            meters: 34.4,
            pilots: ["character:han-solo", "character:chewbacca", "character:lando-calrissian", "character:rey"],
            films: [4, 5, 6, 7, 8, 9]
        ),
        Starship(
            id: "starship:x-wing",
            name: "X-wing",
            model: "T-65B",
            manufacturer: "Incom Corporation",
            type: "starfighter",
            meters: 12.5,
            pilots: ["character:luke-skywalker", "character:wedge-antilles"],
            films: [4, 5, 6, 8, 9]
        ),
        Starship(
            id: "starship:y-wing",
            name: "Y-wing",
            model: "BTL Y-wing",
            manufacturer: "Koensayr Manufacturing",
            type: "bomber",
            meters: 16,
            films: [4, 6, 9]
        ),
        Starship(
            id: "starship:tie-advanced",
            name: "TIE Advanced",
            model: "TIE Advanced x1",
            manufacturer: "Sienar Fleet Systems",
            type: "starfighter",
            meters: 9.2,
            pilots: ["character:anakin-skywalker"],
            films: [4]
        ),
        Starship(
            id: "starship:tie-fighter",
            name: "TIE Fighter",
            model: "TIE/ln",
            manufacturer: "Sienar Fleet Systems",
            type: "starfighter",
            meters: 7.2,
            films: [4, 5, 6]
        ),
        Starship(
            id: "starship:death-star",
            name: "Death Star",
            model: "DS-1 battle station",
            manufacturer: "Galactic Empire",
            type: "space station",
            meters: 160_000,
            pilots: ["character:wilhuff-tarkin"],
            films: [3, 4]
        ),
        Starship(
            id: "starship:imperial-star-destroyer",
            name: "Imperial Star Destroyer",
            model: "Imperial I-class",
            manufacturer: "Kuat Drive Yards",
            type: "capital ship",
            meters: 1600,
            films: [4, 5, 6]
        ),
        Starship(
            id: "starship:executor",
            name: "Executor",
            model: "Executor-class",
            manufacturer: "Kuat Drive Yards",
            type: "capital ship",
            meters: 19_000,
            pilots: ["character:anakin-skywalker"],
            films: [5, 6]
        ),
        Starship(
            id: "starship:home-one",
            name: "Home One",
            model: "MC80A",
            manufacturer: "Mon Calamari Shipyards",
            type: "capital ship",
            meters: 1300,
            pilots: ["character:gial-ackbar"],
            films: [6]
        ),
        Starship(
            id: "starship:imperial-shuttle",
            name: "Imperial Shuttle",
            model: "Lambda-class T-4a",
            manufacturer: "Sienar Fleet Systems",
            type: "shuttle",
            meters: 20,
            pilots: ["character:han-solo", "character:anakin-skywalker"],
            films: [5, 6]
        ),
        Starship(
            id: "starship:a-wing",
            name: "A-wing",
            model: "RZ-1",
            manufacturer: "Kuat Systems Engineering",
            type: "starfighter",
            meters: 9.6,
            films: [6]
        ),
        Starship(
            id: "starship:black-one",
            name: "Black One",
            model: "T-70 X-wing",
            manufacturer: "Incom-FreiTek",
            type: "starfighter",
            meters: 12.5,
            pilots: ["character:poe-dameron", "character:bb-8"],
            films: [7, 8]
        ),
        Starship(
            id: "starship:finalizer",
            name: "Finalizer",
            model: "Resurgent-class",
            manufacturer: "Kuat-Entralla Engineering",
            type: "capital ship",
            meters: 2916,
            pilots: ["character:kylo-ren", "character:armitage-hux"],
            films: [7, 8]
        ),
        Starship(
            id: "starship:tie-silencer",
            name: "TIE Silencer",
            model: "TIE/vn",
            manufacturer: "Sienar-Jaemus Fleet Systems",
            type: "starfighter",
            meters: 17.4,
            pilots: ["character:kylo-ren"],
            films: [8]
        ),
        Starship(
            id: "starship:raddus",
            name: "Raddus",
            model: "MC85",
            manufacturer: "Mon Calamari Shipyards",
            type: "capital ship",
            meters: 3438,
            pilots: ["character:leia-organa", "character:gial-ackbar"],
            films: [8]
        ),
        Starship(
            id: "starship:supremacy",
            name: "Supremacy",
            model: "Mega-class",
            manufacturer: "Kuat-Entralla Engineering",
            type: "capital ship",
            meters: 13_239,
            films: [8]
        ),
    ]
}
