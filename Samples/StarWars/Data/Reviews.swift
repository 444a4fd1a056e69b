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
}
