import Baton
import Testing

@testable import StarWarsComponents

@Suite
struct FilmDateTests {
    @Test
    func datesAreReadAndWritten() throws {
        let date = try FilmDate.decode(.string("1977-05-25"))
        #expect(date == FilmDate(year: 1977, month: 5, day: 25))
        #expect(date.inWords == "25 May 1977")
        #expect("\(date)" == "1977-05-25")
        #expect(FilmDate.encode(date) == .string("1977-05-25"))
    }

    @Test(
        arguments: [
            .string(""), .string("1977"), .string("1977-5-25"), .string("1977-13-01"), .string("1977-00-01"),
            .string("1977-01-32"), .string("1977-01-01-"), .string("19a7-01-01"), .string("+977-01-01"), .int(1977),
            .null,
        ] as [JSONValue])
    func everythingElseIsRefused(json: JSONValue) {
        #expect(throws: FilmDate.Failure.self) { try FilmDate.decode(json) }
    }
}
