import Baton
import BatonFoundation
import Foundation
import Testing

@Suite("Conversions of numbers and texts")
struct ConversionTests {
    private func roundTrips<Conversion: ScalarConversion>(_: Conversion.Type, _ value: Conversion.Value) throws {
        let json = Conversion.encode(value)
        #expect(try Conversion.decode(json) == value, "\(json)")
    }

    private func refuses<Conversion: ScalarConversion>(_: Conversion.Type, _ values: JSONValue...) {
        for json in values { #expect(throws: ConversionError.self, "\(json)") { try Conversion.decode(json) } }
    }

    @Test("64-bit integers are read from text and from numbers")
    func int64IsReadFromTextAndNumbers() throws {
        #expect(try Int64Text.decode("9007199254740993") == 9_007_199_254_740_993)
        #expect(Int64Text.encode(.min) == "-9223372036854775808")
        #expect(Int64Number.encode(.max) == .int(.max))
        #expect(try Int64Text.decode(7) == 7)
        #expect(try Int64Number.decode("+7") == 7)
        #expect(UInt64Text.encode(.max) == "18446744073709551615")
        for value in [Int64.min, -1, 0, 1, .max] {
            try roundTrips(Int64Text.self, value)
            try roundTrips(Int64Number.self, value)
        }
        try roundTrips(UInt64Text.self, .max)
        let bad: [JSONValue] = [
            "", "-", "1.0", "1e3", " 1", "1 ", "0x1", "\u{661}", "9223372036854775808", 1.5, 1e30, true, nil, [1], [:],
            .string(String(repeating: "0", count: 1_000_000) + "1"),
        ]
        for json in bad { refuses(Int64Text.self, json) }
        refuses(UInt64Text.self, "-1", -1, "18446744073709551616")
    }

    @Test(
        "decimal numbers keep every digit that was written",
        arguments: [
            ("12.50", "12.5"), ("3.133", "3.133"), ("-0.1", "-0.1"), ("+7", "7"), (".5", "0.5"), ("5.", "5"),
            ("1e3", "1000"),
            ("0.00", "0"), ("-0", "0"), ("1.5E-3", "0.0015"), ("0e99", "0"),
            ("100000000000000000000", "100000000000000000000"),
            ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
        ])
    func decimalTextKeepsEveryDigit(text: String, expected: String) throws {
        let value = try DecimalText.decode(.string(text))
        #expect(value.description == expected)
        try roundTrips(DecimalText.self, value)
    }

    @Test("a JSON number is the decimal number that was written")
    func aDecimalIsTheNumberThatWasWritten() throws {
        #expect(try DecimalNumber.decode(3.133).description == "3.133")
        #expect(try DecimalNumber.decode(1e21).description == "1000000000000000000000")
        #expect(DecimalNumber.encode(try #require(Decimal(string: "3.133"))) == 3.133)
        #expect(DecimalNumber.encode(7) == .int(7))
        #expect(DecimalNumber.encode(.nan).text == "null")
        for _ in 0..<1_000 {
            let digits = Decimal(
                sign: Bool.random() ? .plus : .minus, exponent: .random(in: -20...20),
                significand: Decimal(Int.random(in: 0..<1_000_000_000_000_000)))
            try roundTrips(DecimalNumber.self, digits)
            try roundTrips(DecimalText.self, digits)
        }
    }

    @Test("text that Foundation would read in part, or round, is refused")
    func inexactDecimalsAreRefused() {
        refuses(
            DecimalText.self, "", "-", ".", "12abc", "1,5", " 1", "1 ", "1.2.3", "1e", "1e+", "e1", "0x10", "NaN",
            "inf", "1e200",
            "1e-200", "1e99999", .string(String(repeating: "9", count: 60)),
            .string("0." + String(repeating: "3", count: 60)),
            "1.23e-127", true, nil, [1], [:], 1e300, 1e-300, .double(.nan),
            .string(String(repeating: "1", count: 1_000_000)))
    }

    @Test("URLs are read and written back, and other text is refused")
    func urlsAreReadAndWritten() throws {
        #expect(try URLText.decode("https://example.com/a?b=c#d").fragment() == "d")
        for text in ["https://example.com/a%20b", "/relative", "mailto:a@example.com", "data:,x"] {
            let url = try URLText.decode(.string(text))
            #expect(URLText.encode(url) == .string(text))
            try roundTrips(URLText.self, url)
        }
        #expect(URLText.encode(try URLText.decode("https://example.com/\u{E4} b")) == "https://example.com/%C3%A4%20b")
        refuses(URLText.self, "", "http://[::1", 1, true, nil, ["a"], [:])
    }

    @Test("UUIDs are read in any case and written in lower case, and other text is refused")
    func uuidsAreReadAndWritten() throws {
        let text = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"
        #expect(UUIDText.encode(try UUIDText.decode(.string(text.uppercased()))) == .string(text))
        for _ in 0..<100 { try roundTrips(UUIDText.self, UUID()) }
        refuses(
            UUIDText.self, "", .string(text + "0"), .string(String(text.dropLast())), .string("{\(text)}"), 1, nil, [:])
    }

    @Test("data are base64 text with padding, and other text is refused")
    func dataIsBase64() throws {
        #expect(try Base64Data.decode("SGVsbG8=") == Data("Hello".utf8))
        #expect(Base64Data.encode(Data()) == "")
        for count in 0..<200 {
            try roundTrips(Base64Data.self, Data((0..<count).map { _ in UInt8.random(in: 0...255) }))
        }
        refuses(Base64Data.self, "SGVsbG8", "SGVs bG8=", "SGVsbG8=\n", "SGVs_G8=", 1, nil, [])
    }

    @Test("an error says what was expected and what came, in one line of bounded length")
    func anErrorNamesWhatWasExpectedAndFound() {
        func message(_ json: JSONValue) -> String { "\(ConversionError(expected: "a day", found: json))" }
        #expect(message("x\ny") == #"expected a day, found "x\ny""#)
        #expect(message(nil) == "expected a day, found null")
        #expect(message([1, 2]) == "expected a day, found a list")
        #expect(message(["a": 1]) == "expected a day, found an object")
        #expect(message(.string(String(repeating: "\u{1}", count: 1_000_000))).utf8.count < 600)
    }
}
