import Baton
import BatonFoundation
import Foundation
import Testing

/// Scalars that `baton.json` maps to the runtime's own conversions.
@Suite struct ValuesTests {
    private static let values = #"""
        {"at": "2024-05-25T12:00:00.250+02:00", "times": ["2024-05-25", "2024-05-25T00:01Z"], "day": "2024-05-25",
         "timestamp": 1716631200500, "link": "https://example.com/a", "key": "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6",
         "price": "12.50", "bytes": "SGVsbG8=", "long": "9007199254740993", "json": {"a": [1, null]}}
        """#
    private static let body = #"{"data": {"values": \#(values), "more": {"at": "2024-05-25T10:00:00Z"}}}"#
    private static let key = UUID(uuidString: "f81d4fae-7dec-11d0-a765-00a0c91e6bf6")

    @Test func valuesAreRead() async throws {
        let (data, _) = try await answer(ValuesQuery(since: Date()), Self.body)
        let values = data.values
        #expect(values.at == Date(timeIntervalSince1970: 1_716_631_200.25))
        #expect(values.times == [1_716_595_200, 1_716_595_260].map(Date.init(timeIntervalSince1970:)))
        #expect(values.day == Date(timeIntervalSince1970: 1_716_595_200))
        #expect(values.timestamp == Date(timeIntervalSince1970: 1_716_631_200.5))
        #expect(values.link == URL(string: "https://example.com/a"))
        #expect(values.key == Self.key)
        #expect(values.price == Decimal(string: "12.5"))
        #expect(values.bytes == Data("Hello".utf8))
        #expect(values.long == 9_007_199_254_740_993)
        #expect(values.json == ["a": [1, nil]])
    }

    @Test func valuesAreSent() throws {
        let at = Date(timeIntervalSince1970: 1_716_631_200.25)
        let input = ValuesInput(
            at: at, times: [at], day: at, timestamp: at, link: URL(filePath: "/a"),
            key: try #require(Self.key), price: 2, bytes: Data("Hello".utf8), long: .max,
            json: ["a": nil])
        #expect(
            input.jsonValue == [
                "at": "2024-05-25T10:00:00.250Z", "times": ["2024-05-25T10:00:00.250Z"], "day": "2024-05-25",
                "timestamp": 1_716_631_200_250, "link": "file:///a", "key": "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
                "price": "2", "bytes": "SGVsbG8=", "long": "9223372036854775807", "json": ["a": nil],
            ]
        )
    }

    @Test func anUnreadableValueFailsTheAnswerWithFieldAndReason() async throws {
        let body = Self.body.replacing("2024-05-25T12:00:00.250+02:00", with: "yesterday")
        await #expect {
            try await answer(ValuesQuery(since: Date()), body)
        } throws: { error in
            "\(error)".contains(
                #"the conversion of DateTime failed at values.at (byte 27): expected a date such as "2024-05-25T10:00:00Z", found "yesterday""#
            )
        }
    }
}
