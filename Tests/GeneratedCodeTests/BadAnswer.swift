import Baton
import Foundation
import Testing

/// An answer that no client should accept, with the expected error.
struct BadAnswer: Sendable, CustomTestStringConvertible {
    /// The query to send; each one selects fields of other kinds.
    enum Question: Sendable {
        case matrix
        case films
        case search
    }

    let question: Question
    let body: [UInt8]
    let reason: RelayError.InvalidResponse.Reason
    let path: [JSONValue.PathComponent]
    let testDescription: String

    private init(
        _ question: Question, _ body: [UInt8], _ reason: RelayError.InvalidResponse.Reason,
        _ path: [JSONValue.PathComponent]
    ) {
        self.question = question
        self.body = body
        self.reason = reason
        self.path = path
        testDescription = "\(question) \(String(decoding: body.prefix(160), as: UTF8.self))"
    }

    // MARK: - Good answers

    static let matrix =
        #"{"data":{"matrix":[[1,2],[]],"numbers":{"id":"n","int":1,"float":1.5,"boolean":true,"string":"s"}}}"#
    static let film =
        #"{"id":"1","title":"IV","released":"1977-05-25","extra":{"a":1},"unmapped":[1],"episode":"NEW_HOPE","#
        + #""film":[{"__typename":"Human","id":"h","name":"Luke"}],"shots":["1.5",null],"budget":"11"}"#
    static let films = #"{"data":{"films":[\#(film)],"grid":[[{"id":"1","title":"IV"},null],null],"hero":null}}"#
    static let search =
        #"{"data":{"search":[{"__typename":"Human","id":"h","__isNode":"Human","__isCharacter":"Human","#
        + #""name":"Leia","height":1.5},{"__typename":"Place","name":"Hoth","coordinates":[[1,2]]}],"thing":null}}"#

    static func good(_ question: Question) -> String {
        switch question {
        case .matrix: matrix
        case .films: films
        case .search: search
        }
    }

    // MARK: - Bad answers

    static let all = noJSON + noResponse + wrongTypes + nulls + tooDeep

    private static func text(
        _ question: Question, _ body: String, _ reason: RelayError.InvalidResponse.Reason,
        _ path: [JSONValue.PathComponent] = []
    ) -> BadAnswer {
        BadAnswer(question, Array(body.utf8), reason, path)
    }

    /// Returns a good answer in which one piece is replaced.
    private static func edit(
        _ question: Question, _ piece: String, _ new: String, _ reason: RelayError.InvalidResponse.Reason,
        _ path: [JSONValue.PathComponent]
    ) -> BadAnswer {
        let body = good(question)
        guard let range = body.firstRange(of: piece) else { preconditionFailure("'\(piece)' is not in \(body)") }
        return text(question, body.replacingCharacters(in: range, with: new), reason, path)
    }

    /// Returns a good answer that contains bytes that are not UTF-8.
    private static func bytes(
        _ piece: String, _ new: [UInt8], _ detail: String, _ path: [JSONValue.PathComponent]
    ) -> BadAnswer {
        guard let range = matrix.firstRange(of: piece) else { preconditionFailure("'\(piece)' is not there") }
        let body = Array(matrix[..<range.lowerBound].utf8) + new + Array(matrix[range.upperBound...].utf8)
        return BadAnswer(.matrix, body, .notJSON(detail), path)
    }

    private static func wrong(_ expected: String, _ found: String) -> RelayError.InvalidResponse.Reason {
        .unexpectedValue(expected: expected, found: found)
    }

    static let noJSON: [BadAnswer] =
        [
            text(.matrix, "", .notJSON("its body is empty")),
            text(.matrix, " \n", .notJSON("its body is empty")),
            text(.matrix, "<!DOCTYPE html>", .notJSON("expected a value")),
            text(.matrix, matrix + "x", .notJSON("expected the end")),
            text(.matrix, matrix + matrix, .notJSON("expected the end")),
            text(.matrix, "\u{FEFF}\u{FEFF}" + matrix, .notJSON("expected a value")),
            edit(.matrix, "1,2", "1,,2", .notJSON("expected a value"), ["matrix", 0, 1]),
            edit(.matrix, "1,2", "1,2,", .notJSON("expected a value"), ["matrix", 0, 2]),
            edit(.matrix, "1.5", "1.", .notJSON("expected a digit"), ["numbers", "float"]),
            edit(.matrix, "1.5", "+1", .notJSON("expected a value"), ["numbers", "float"]),
            edit(.matrix, "1.5", "NaN", .notJSON("expected a value"), ["numbers", "float"]),
            edit(.matrix, "1.5", "-Infinity", .notJSON("expected a digit"), ["numbers", "float"]),
            edit(.matrix, "1.5", "1.5x", .notJSON("expected ',' or '}'"), ["numbers", "float"]),
            edit(.matrix, "true", "True", .notJSON("expected a value"), ["numbers", "boolean"]),
            edit(.matrix, "true", "tru", .notJSON("expected a value"), ["numbers", "boolean"]),
        ] + notUTF8

    /// A stray byte, an overlong form, half a surrogate pair as bytes, a code point beyond the last, and a cut
    /// character.
    static let notUTF8: [BadAnswer] =
        [
            [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82],
        ].flatMap { (bytes: [UInt8]) in
            [
                Self.bytes("\"s\"", [0x22] + bytes + [0x22], "invalid UTF-8", ["numbers", "string"]),
                Self.bytes("\"n\"", [0x22] + bytes + [0x22], "invalid UTF-8", ["numbers", "id"]),
            ]
        }

    static let noResponse: [BadAnswer] =
        ["[]", "null", "5", "\"data\"", "{}", #"{"message":"x"}"#, #"{"errors":null}"#, #"{"errors":[]}"#].map {
            text(.matrix, $0, .notAResponse)
        }
        + [("5", "5"), ("\"x\"", "\"x\""), ("[]", "[]"), ("true", "true")].map {
            text(.matrix, #"{"data":\#($0.0)}"#, wrong("an object under 'data'", $0.1))
        }

    /// For each kind of field, each kind of value that the field does not take.
    static let wrongTypes: [BadAnswer] = numbers + lists + scalars + objects

    private static func each(
        _ question: Question, _ piece: String, in key: String, _ expected: String, _ path: [JSONValue.PathComponent],
        _ values: [(String, String)]
    ) -> [BadAnswer] {
        values.map { edit(question, "\(key)\(piece)", "\(key)\($0.0)", wrong(expected, $0.1), path) }
    }

    private static let aString = ("\"1\"", "a string")
    private static let anObject = ("{\"a\":1}", "an object")
    private static let aList = ("[1]", "a list")
    private static let aBoolean = ("false", "a Boolean")
    private static let aNumber = ("7", "a number")

    private static let numbers =
        each(
            .matrix, "1", in: "\"int\":", "Int!", ["numbers", "int"],
            [
                aString, anObject, aList, aBoolean, ("1.5", "1.5"), ("1e30", "1e30"),
                ("9223372036854775808", "9223372036854775808"),
                (String(repeating: "9", count: 300), String(repeating: "9", count: 300)), ("-1e400", "-1e400"),
            ])
        + each(
            .matrix, "1.5", in: "\"float\":", "Float!", ["numbers", "float"],
            [aString, anObject, aList, aBoolean, ("1e400", "1e400"), ("-1e400", "-1e400")])
        + each(
            .matrix, "true", in: "\"boolean\":", "Boolean!", ["numbers", "boolean"],
            [aString, anObject, aList, aNumber])
        + each(
            .matrix, "\"s\"", in: "\"string\":", "String!", ["numbers", "string"],
            [anObject, aList, aBoolean, aNumber])
        + each(
            .matrix, "\"n\"", in: "\"id\":", "ID!", ["numbers", "id"],
            [anObject, aList, aBoolean, ("1.5", "a number")])

    private static let lists =
        each(
            .matrix, "[[1,2],[]]", in: "\"matrix\":", "a list ([[Int!]!]!)", ["matrix"],
            [aString, anObject, aBoolean, aNumber])
        + each(
            .matrix, "[1,2]", in: "\"matrix\":[", "a list ([[Int!]!]!)", ["matrix", 0],
            [aString, anObject, aBoolean, aNumber])
        + each(
            .matrix, "1", in: "\"matrix\":[[", "[[Int!]!]!", ["matrix", 0, 0], [aString, anObject, aList, aBoolean])
        + each(
            .films, "{\"id\":\"1\",\"title\":\"IV\"}", in: "\"grid\":[[", "an object of type Film", ["grid", 0, 0],
            [aString, aList, aBoolean, aNumber])

    private static let scalars =
        each(
            .films, "\"NEW_HOPE\"", in: "\"episode\":", "Episode", ["films", 0, "episode"],
            [anObject, aList, aBoolean, aNumber])
        + ["\"soon\"", "5", "{}", "[]", "true"].map {
            edit(
                .films, "\"1977-05-25\"", $0, .conversionFailed(scalar: "Date", message: "Malformed()"),
                ["films", 0, "released"])
        }
        + ["\"\"", "[]", "false"].flatMap { value in
            [
                edit(
                    .films, "\"1.5\"", value, .conversionFailed(scalar: "Money", message: "Malformed()"),
                    ["films", 0, "shots", 0]),
                edit(
                    .films, "\"11\"", value, .conversionFailed(scalar: "Money", message: "Malformed()"),
                    ["films", 0, "budget"]),
            ]
        }

    private static let objects =
        each(
            .matrix, "{\"id\":\"n\"", in: "\"numbers\":", "an object of type Numbers", ["numbers"],
            [("5,\"x\":{\"id\":\"n\"", "a number"), ("\"x\",\"x\":{\"id\":\"n\"", "a string")])
        + each(
            .films, "{\"__typename\":\"Human\",\"id\":\"h\",\"name\":\"Luke\"}", in: "\"film\":[",
            "an object of type Character", ["films", 0, "film", 0], [aString, aList, aBoolean, aNumber])
        + each(
            .films, "null", in: "\"hero\":", "an object of type Character", ["hero"],
            [aString, aList, aBoolean, aNumber])
        + [
            ("\"__typename\":\"Human\",", ""), ("\"Human\",\"id\"", "5,\"id\""), ("\"Human\",\"id\"", "null,\"id\""),
        ].flatMap { piece, new in
            [
                edit(
                    .films, piece, new, .missingTypename(expected: "Character"), ["films", 0, "film", 0]),
                edit(.search, piece, new, .missingTypename(expected: "SearchResult"), ["search", 0]),
            ]
        }

    /// Null for non-null types, at each level of a type.
    static let nulls: [BadAnswer] = [
        edit(.matrix, "\"int\":1", "\"int\":null", .unexpectedNull(expected: "Int!"), ["numbers", "int"]),
        edit(.matrix, "\"n\"", "null", .unexpectedNull(expected: "ID!"), ["numbers", "id"]),
        edit(.matrix, "[[1,2],[]]", "null", .unexpectedNull(expected: "[[Int!]!]!"), ["matrix"]),
        edit(.matrix, "[1,2],[]", "[1,2],null", .unexpectedNull(expected: "[[Int!]!]!"), ["matrix", 1]),
        edit(.matrix, "1,2", "1,null", .unexpectedNull(expected: "[[Int!]!]!"), ["matrix", 0, 1]),
        edit(.films, "\"IV\"", "null", .unexpectedNull(expected: "String!"), ["films", 0, "title"]),
        edit(.films, "\"11\"", "null", .unexpectedNull(expected: "Money!"), ["films", 0, "budget"]),
        edit(.films, "[\(film)]", "[\(film),null]", .unexpectedNull(expected: "[Film!]"), ["films", 1]),
        edit(
            .films, "\"name\":\"Luke\"}", "\"name\":\"Luke\"},null", .unexpectedNull(expected: "[Character!]!"),
            ["films", 0, "film", 1]),
        edit(
            .search, "[[1,2]]", "[[1,null]]", .unexpectedNull(expected: "[[Float!]!]"),
            ["search", 1, "coordinates", 0, 1]),
        edit(.search, "\"Hoth\"", "null", .unexpectedNull(expected: "String!"), ["search", 1, "name"]),
    ]

    /// 100,000 levels in each place: in a field, in an unknown key, in `errors`, `extensions` and `data`, instead of an
    /// object, and instead of the whole answer. Each is tried with and without the closing brackets.
    static let tooDeep: [BadAnswer] = [
        ("[", "]"), ("{\"a\":", "}"),
    ].flatMap { open, close in
        let count = 100_000
        let opened = String(repeating: open, count: count)
        return [opened, opened + "1" + String(repeating: close, count: count)].flatMap { deep in
            let reason = RelayError.InvalidResponse.Reason.tooDeep(limit: 256)
            return [
                edit(.films, "[1]", deep, reason, ["films", 0, "unmapped"]),
                edit(.films, "{\"a\":1}", deep, reason, ["films", 0, "extra"]),
                edit(.films, "\"1977-05-25\"", deep, reason, ["films", 0, "released"]),
                edit(.matrix, "\"matrix\"", "\"x\":\(deep),\"matrix\"", reason, ["x"]),
                text(.matrix, "{\"errors\":\(deep)}", reason),
                text(.matrix, "{\"extensions\":\(deep)}", reason),
                text(.matrix, "{\"x\":\(deep)}", reason),
            ]
        }
    }
}
