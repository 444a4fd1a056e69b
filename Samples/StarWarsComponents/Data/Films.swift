extension Saga {
    /// The nine episodes in the order of the story.
    static let films: [Film] = [
        Film(
            number: 1,
            episode: "THE_PHANTOM_MENACE",
            title: "The Phantom Menace",
            released: "1999-05-19",
            director: "George Lucas",
            producers: ["Rick McCallum"],
            synopsis: """
                Two Jedi break through a blockade of Naboo to protect its young queen, and find a slave boy on a desert \
                world in whom the Force is stronger than in anyone before him.
                """
        ),
        Film(
            number: 2,
            episode: "ATTACK_OF_THE_CLONES",
            title: "Attack of the Clones",
            released: "2002-05-16",
            director: "George Lucas",
            producers: ["Rick McCallum"],
            synopsis: """
                An attempt on the life of a senator leads one Jedi to an army that nobody remembers having ordered, \
                and another into a love that his order forbids.
                """
        ),
        Film(
            number: 3,
            episode: "REVENGE_OF_THE_SITH",
            title: "Revenge of the Sith",
            released: "2005-05-19",
            director: "George Lucas",
            producers: ["Rick McCallum"],
            synopsis: """
                Afraid to lose his wife, Anakin Skywalker listens to the wrong teacher. The Republic falls, and with it \
                nearly all of the Jedi.
                """
        ),
        Film(
            number: 4,
            episode: "A_NEW_HOPE",
            title: "A New Hope",
            released: "1977-05-25",
            director: "George Lucas",
            producers: ["Gary Kurtz"],
            synopsis: """
                A farm boy, an old hermit and two smugglers carry stolen plans to the rebels, who have one chance to \
                destroy a station that can shatter planets.
                """
        ),
        Film(
            number: 5,
            episode: "THE_EMPIRE_STRIKES_BACK",
            title: "The Empire Strikes Back",
            released: "1980-05-21",
            director: "Irvin Kershner",
            producers: ["Gary Kurtz"],
            synopsis: """
                Driven from their base on an ice world, the rebels scatter. Luke learns the ways of the Force in a swamp, \
                his friends are betrayed in a city in the clouds.
                """
        ),
        Film(
            number: 6,
            episode: "RETURN_OF_THE_JEDI",
            title: "Return of the Jedi",
            released: "1983-05-25",
            director: "Richard Marquand",
            producers: ["Howard Kazanjian"],
            synopsis: """
                A second Death Star is being built over a forest moon. While the rebels fight for its shield, Luke gives \
                himself up to win back his father.
                """
        ),
        Film(
            number: 7,
            episode: "THE_FORCE_AWAKENS",
            title: "The Force Awakens",
            released: "2015-12-18",
            director: "J. J. Abrams",
            producers: ["Kathleen Kennedy", "J. J. Abrams", "Bryan Burk"],
            synopsis: """
                A scavenger and a deserter flee with a droid that knows part of the way to Luke Skywalker, hunted by a \
                new order that worships the old Empire.
                """
        ),
        Film(
            number: 8,
            episode: "THE_LAST_JEDI",
            title: "The Last Jedi",
            released: "2017-12-15",
            director: "Rian Johnson",
            producers: ["Kathleen Kennedy", "Ram Bergman"],
            synopsis: """
                The last ships of the Resistance run out of fuel in front of their pursuers, while Rey asks a hermit for \
                lessons that he does not want to give.
                """
        ),
        Film(
            number: 9,
            episode: "THE_RISE_OF_SKYWALKER",
            title: "The Rise of Skywalker",
            released: "2019-12-20",
            director: "J. J. Abrams",
            producers: ["Kathleen Kennedy", "J. J. Abrams", "Michelle Rejwan"],
            synopsis: """
                A voice thought dead speaks from a hidden world. Rey learns whose grandchild she is, and whose name she \
                would rather carry.
                """
        ),
    ]
}
