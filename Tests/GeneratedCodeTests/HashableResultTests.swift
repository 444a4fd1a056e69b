import Baton
import Foundation
import Testing

/// Results of one operation that were made apart: they are equal if what they show is equal.
@Suite struct HashableResultTests {
    private static func matrix(_ int: Int) -> String {
        """
        {"data": {"matrix": [[1, 2], []], "numbers":
          {"int": \(int), "float": 1, "boolean": true, "id": 12, "string": "s"}}}
        """
    }

    @Test func resultsAreEqualByWhatTheyShow() async throws {
        let (read, _) = try await answer(MatrixQuery(), Self.matrix(-7))
        func made(_ int: Int) throws -> MatrixQuery.Data {
            try MatrixQuery.Data(.response(json: Self.matrix(int)), for: MatrixQuery())
        }
        #expect(try made(-7) == read && made(-8) != read)
        #expect(try made(-7).hashValue == read.hashValue)
        #expect(try Set([made(-7), read, made(-8), made(-7)]).count == 2)
        #expect(try MatrixQuery.Data(.data(JSONValue(read)), for: MatrixQuery()) == read)
        var (text, other) = ("", "")
        dump(try made(-7), to: &text)
        dump(read, to: &other)
        #expect(text == other)
    }

    @Test func mappedScalarsAreComparedByTheirJSON() throws {
        func made(_ price: String) throws -> ValuesQuery.Data.Values {
            let values: JSONValue = [
                "at": "2024-05-25T12:00:00Z", "times": [], "key": "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6",
                "price": .string(price), "long": "7", "json": ["a": [1]], "day": nil, "timestamp": 1, "link": nil,
                "bytes": nil,
            ]
            let json: JSONValue = ["values": values, "more": ["at": "2024-05-25T10:00:00Z"]]
            return try ValuesQuery.Data(.data(json), for: ValuesQuery(since: Date())).values
        }
        #expect(try made("1.5") == made("1.5") && made("1.5").hashValue == made("1.5").hashValue)
        #expect(try made("1.5") != made("2.5") && made("1.5").price == Decimal(string: "1.5"))
    }
}
