import Foundation
import RandomCases
import Testing

@testable import Baton

@Suite struct JSONReadingTests {
    static let valid: [String] = [
        "null", "true", " false ", "0", "-0", "1", "-17", "9223372036854775807", "-9223372036854775808",
        "9223372036854775808",
        "1.5", "-0.25", "1e3", "1E+2", "2.5e-3", "123456789012345678", "1234567890123456789", "0.1",
        "0.30000000000000004",
        "5e-324", "1.7976931348623157e308", "3.141592653589793238462643383279", "100000000000000000000000", "1e22",
        "1e23",
        "\"\"", "\"plain\"", "\"eight888\"", "\"eight888more\"", #""q\"b\\s\/n\nr\rt\tb\bf\f""#,
        #""\u0041\u00e9\u20ac\ud83d\ude00""#,
        "\"gr\u{00fc}n \u{20ac} \u{1F600} \u{0}\"".replacingOccurrences(of: "\u{0}", with: "x"), "\"e\u{301}\"",
        "[]", "[ ]", "[1,2 , 3]", "[[],[[]]]", "{}", "{ }", #"{"a":1}"#, #"{"a":{"b":[true,null]}, "c" : "d"}"#,
        #"{"":0}"#,
        #"{"key with \"quotes\"":"v"}"#, "\t\r\n [1]\n",
    ]

    static let invalid: [String] = [
        "", " ", "nul", "nulll", "True", "tru", "+1", "01", "-", "1.", ".5", "1e", "1e+", "0x10", "NaN", "Infinity",
        "\"", "\"a", "\"\\\"", "\"\\x\"", "\"\\u12\"", "\"\\u12G4\"", "\"\\ud800", "\"\\ud800\\\"", "\"\\ud800\\u12\"",
        "\"a\nb\"", "\"\u{1}\"", "-01", "1.e3", "1e400.", "1.5e+", "00", "-00",
        "'a'", "[", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "]", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,",
        "{\"a\":1,}", "{a:1}", "{1:1}",
        "{\"a\" 1}", "{\"a\":1 \"b\":2}", "}", "1 2", "[] []", "//c\n1", "[1]x", "1\u{feff}", " \u{feff}1",
        "\u{feff}\u{feff}1", "\u{feff}",
    ]

    @Test func readsWhatFoundationReads() throws {
        for text in Self.valid {
            let ours = try JSONValue.parse(text)
            let theirs = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
            #expect(Self.isEqual(ours, theirs), "\(text)")
            #expect(try JSONValue.parse(ours.jsonBytes) == ours, "\(text)")
            #expect(throws: Never.self, "\(text)") { try JSONValue.check(Array(text.utf8)) }
        }
        #expect(try JSONValue.parse(#"{"a":1,"b":2,"a":3}"#) == ["b": 2, "a": 3])
        #expect(try JSONValue.parse("-0") == .double(-0.0))
        #expect(try JSONValue.parse("1.0") == .double(1))
        #expect(JSONValue.double(.nan).text == "null")
    }

    @Test func refusesWhatIsNoJSON() {
        for text in Self.invalid {
            #expect(throws: JSONValue.ParseError.self, "\(text)") { try JSONValue.parse(text) }
            #expect(throws: JSONValue.ParseError.self, "\(text)") { try JSONValue.check(Array(text.utf8)) }
        }
        for bytes: [UInt8] in [
            [0x22, 0x80, 0x22], [0x22, 0xC0, 0xAF, 0x22], [0x22, 0xE0, 0x80, 0x80, 0x22],
            [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0x22, 0xC3], [0x22, 0xE2, 0x82, 0x22], [0x22, 0xFF, 0x22], [0x00],
            [0x22, 0x00, 0x22],
        ] {
            #expect(throws: JSONValue.ParseError.self, "\(bytes)") { try JSONValue.parse(bytes) }
        }
    }

    /// Texts that servers send although a reader may refuse them.
    @Test func takesWhatServersSend() throws {
        for (text, value): (String, JSONValue) in [
            ("\u{feff}1", 1), ("\u{feff} [1]", [1]), (#""\ud800""#, "\u{fffd}"), (#""\udc00""#, "\u{fffd}"),
            (#""a\uD83Db""#, "a\u{fffd}b"), (#""\ud800\u0041""#, "\u{fffd}A"),
            (#""\ud83d\ud83d\ude00""#, "\u{fffd}\u{1F600}"),
            (#""\ude00\ud83d""#, "\u{fffd}\u{fffd}"), (#"{"\ud800":1}"#, ["\u{fffd}": 1]),
            ("1e400", .double(.infinity)), ("[-1e999]", [.double(-.infinity)]), ("1e-400", .double(0)),
            (String(repeating: "9", count: 400), .double(.infinity)),
        ] {
            #expect(try JSONValue.parse(text) == value, "\(text)")
            #expect(try JSONValue.parse(value.text) == value, "\(text)")
            #expect(throws: Never.self, "\(text)") { try JSONValue.check(Array(text.utf8)) }
        }
    }

    /// `String` finds these names equal; a server does not.
    @Test func canonicallyEquivalentNamesAreDifferent() throws {
        let (composed, decomposed) = ("\u{e9}", "e\u{301}")
        let text = "{\"\(composed)\":1,\"\(decomposed)\":2,\"\(composed)\":3}"
        let value = try JSONValue.parse(text)
        #expect(value == .object([.init(decomposed, 2), .init(composed, 3)]))
        #expect(value.text.utf8.elementsEqual("{\"\(decomposed)\":2,\"\(composed)\":3}".utf8))
        #expect(value[composed] == 3 && value[decomposed] == 2)
        let reversed = JSONValue.object([.init(composed, 3), .init(decomposed, 2)])
        #expect(value == reversed && value.hashValue == reversed.hashValue)
        #expect(value != .object([.init(composed, 2), .init(decomposed, 3)]))
    }

    @Test func depthIsLimited() throws {
        let allowed = String(repeating: "[", count: 256) + String(repeating: "]", count: 256)
        _ = try JSONValue.parse(allowed)
        for opening in ["[", "{\"a\":"] {
            #expect(throws: JSONValue.ParseError(detail: "more than 256 levels", offset: opening.utf8.count * 256)) {
                try JSONValue.parse(String(repeating: opening, count: 100_000))
            }
        }
    }

    /// Random documents with random damage. The reader accepts the texts that Foundation accepts, except for values
    /// that a string or a double cannot hold.
    @Test func agreesWithFoundationOnDamagedDocuments() {
        var generator = SeededGenerator(seed: 7)
        let alphabet = Array("{}[]\",:\\0123456789.eE+-truefalsn u/ \n\u{e9}".utf8)
        var accepted = 0
        for _ in 0..<10_000 {
            var bytes = Array((Self.valid.randomElement(using: &generator) ?? "1").utf8)
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                let index = bytes.isEmpty ? 0 : Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0 where !bytes.isEmpty: bytes.remove(at: index)
                case 1: bytes.insert(alphabet.randomElement(using: &generator) ?? 0x20, at: index)
                default: if !bytes.isEmpty { bytes[index] = alphabet.randomElement(using: &generator) ?? 0x20 }
                }
            }
            let ours = try? JSONValue.parse(bytes)
            #expect((ours != nil) == ((try? JSONValue.check(bytes)) != nil))
            // JSONSerialization guesses the encoding of texts that begin or end with zero bytes, and skips a byte order
            // mark; these texts have neither.
            let theirs = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
            if let ours, let theirs {
                accepted += 1
                #expect(Self.isEqual(ours, theirs), "\(String(decoding: bytes, as: UTF8.self))")
            } else if (ours == nil) != (theirs == nil) {
                // Foundation on Linux accepts a comma before the end of a list. It refuses most numbers beyond the
                // range of a double, and half of a surrogate pair.
                let text = String(decoding: bytes.filter { $0 > 0x20 }, as: UTF8.self)
                let isSurrogate = text.lowercased().contains("\\ud")
                let isOdd = ours.map { Self.isInfinite($0) || isSurrogate } ?? text.contains(",]")
                #expect(isOdd, "\(text)")
            }
        }
        #expect(accepted > 2_000)
    }

    /// Escapes at every distance from each other and from the ends of the words in which text is scanned.
    @Test func textIsTheSameHoweverItIsEscaped() throws {
        var generator = SeededGenerator(seed: 11)
        let characters: [(String, [String])] = [
            ("a", ["a", "\\u0061"]), ("\"", ["\\\"", "\\u0022"]), ("\\", ["\\\\"]), ("/", ["/", "\\/"]),
            ("\n", ["\\n"]),
            ("\u{8}", ["\\b"]), ("\u{C}", ["\\f"]), ("\r", ["\\r"]), ("\t", ["\\t", "\\u0009"]),
            ("\u{fc}", ["\u{fc}", "\\u00fc"]),
            ("\u{20ac}", ["\u{20ac}", "\\u20AC"]), ("\u{1F600}", ["\u{1F600}", "\\ud83d\\uDE00"]),
            ("plain text", ["plain text"]),
        ]
        for _ in 0..<2_000 {
            var text = ""
            var literal = ""
            for _ in 0..<Int.random(in: 0...24, using: &generator) {
                let (character, forms) = characters[
                    [0, Int.random(in: 0..<characters.count, using: &generator)].randomElement(using: &generator) ?? 0]
                text += character
                literal += forms.randomElement(using: &generator) ?? ""
            }
            #expect(try JSONValue.parse("\"\(literal)\"") == .string(text))
            #expect(try JSONValue.parse("[\"\(literal)\",1]") == [.string(text), 1])
        }
    }

    /// Returns true if the value contains a number beyond the range of a double.
    private static func isInfinite(_ value: JSONValue) -> Bool {
        switch value {
        case .double(let value): value.isInfinite
        case .array(let values): values.contains(where: isInfinite)
        case .object(let members): members.contains { isInfinite($0.value) }
        default: false
        }
    }

    static func isEqual(_ ours: JSONValue, _ theirs: Any) -> Bool {
        switch ours {
        case .null: return theirs is NSNull
        case .bool(let value): return (theirs as? NSNumber)?.boolValue == value
        case .int(let value): return (theirs as? NSNumber)?.intValue == value
        case .double(let value):
            guard let number = (theirs as? NSNumber)?.doubleValue else { return false }
            return number == value || abs(number - value) <= abs(value) * 1e-15
        case .string(let value): return (theirs as? String).map { Array($0.utf8) == Array(value.utf8) } ?? false
        case .array(let values):
            guard let array = theirs as? [Any], array.count == values.count else { return false }
            return zip(values, array).allSatisfy { isEqual($0, $1) }
        case .object(let members):
            guard let object = theirs as? [String: Any], object.count == members.count else { return false }
            return members.allSatisfy { member in object[member.name].map { isEqual(member.value, $0) } ?? false }
        }
    }

    /// All spellings of a text have one hash as strings. A table of them would take time quadratic in their number.
    @Test func equivalentTextsHaveHashesOfTheirOwn() {
        let spellings = (0..<1_024).map { number in
            ExactText((0..<10).map { number >> $0 & 1 == 0 ? "\u{e9}" : "e\u{301}" }.joined())
        }
        #expect(Set(spellings).count == 1_024)
        #expect(Set(spellings.map(\.hashValue)).count > 1_000)
        #expect(Set(spellings.map(\.text.hashValue)).count == 1)
    }
}
