extension Saga {
    /// The reviews that exist when the sample starts.
    static let reviews: [Review] = [
        Review(id: "review:1", film: 4, stars: 5, commentary: "The one that started it. The trench run still works."),
        Review(id: "review:2", film: 4, stars: 4, commentary: "Slow in the desert, perfect from the cantina on."),
        Review(id: "review:3", film: 5, stars: 5, commentary: "The best ending a middle part ever had."),
        Review(id: "review:4", film: 5, stars: 5),
        Review(id: "review:5", film: 1, stars: 2, commentary: "Too much trade law."),
        Review(id: "review:6", film: 1, stars: 4, commentary: "The duel alone is worth the ticket."),
        Review(id: "review:7", film: 3, stars: 4, commentary: "A tragedy that earns its last half hour."),
        Review(id: "review:8", film: 6, stars: 4, commentary: "The forest drags, the throne room does not."),
        Review(id: "review:9", film: 7, stars: 4, commentary: "Like meeting an old friend with new stories."),
        Review(id: "review:10", film: 8, stars: 3, commentary: "Bold, uneven, beautiful."),
        Review(id: "review:11", film: 9, stars: 3, commentary: "In a hurry from the first minute."),
        Review(id: "review:12", film: 2, stars: 3, commentary: "Rain, clones, and a very long chase."),
    ]

    /// What strangers say, one after another, while the sample runs.
    static let strangers: [(film: Int, stars: Int, commentary: String)] = [
        (4, 5, "Saw it again last night. Still the best opening shot there is."),
        (1, 3, "I like the ships more than the people."),
        (8, 5, "The throne room, the salt, the last walk. What more does one want?"),
        (5, 5, "He is his father. I knew, and I gasped all the same."),
        (2, 2, "Sand. It gets everywhere."),
        (7, 4, "The first film in years that my children asked to see twice."),
        (6, 5, "My favourite as a child, and I will not be argued out of it."),
        (9, 2, "Somehow he returned. I did not."),
    ]
}
