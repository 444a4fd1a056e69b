import StarWarsComponents
import Testing

@Suite
struct TextTests {
    @Test(arguments: [
        (nil, "", "no reviews yet", 0), (4.5, "4.5", "4.5 of 5 stars", 4), (4.7, "4.7", "4.7 of 5 stars", 4),
        (5.0, "5.0", "5.0 of 5 stars", 5), (0.0, "0.0", "0.0 of 5 stars", 0),
    ])
    func ratingIsToldInNumbersStarsAndWords(average: Double?, number: String, words: String, filled: Int) {
        let rating = Rating(average)
        #expect((rating.number, rating.words) == (number, words))
        #expect(rating.filled == filled)
    }

    @Test
    func reviewHasWholeStars() { #expect(Rating(3).words == "3 of 5 stars") }

    /// A service may send any number.
    @Test(arguments: [-1, 17, .infinity, -.infinity, .nan, 1e300] as [Double])
    func ratingOutsideOfTheScaleShowsNoMoreThanAllStars(average: Double) {
        #expect((0...Rating.most).contains(Rating(average).filled))
        #expect((0...1).contains(Rating(average).share))
        #expect(!Rating(average).number.isEmpty)
    }

    @Test(arguments: [(1, "I"), (4, "IV"), (9, "IX"), (10, "X"), (39, "XXXIX"), (0, "0"), (40, "40"), (-3, "-3")])
    func episodeIsARomanNumeral(number: Int, text: String) {
        #expect(EpisodeNumber.roman(number) == text)
    }

    @Test
    func trilogyIsFoundByItsName() {
        for trilogy in Trilogy.all { #expect(Trilogy(name: trilogy.name) == trilogy) }
        #expect(Trilogy.original.title == "Original trilogy")
        #expect(Trilogy(name: "Original") == nil)
        #expect(Trilogy.unknown("HOLIDAY").title == "Holiday trilogy")
    }

    @Test
    func countSaysHowMuchIsShown() { #expect(ListCount.text(8, of: 12) == "8 of 12") }
}
