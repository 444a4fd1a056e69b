import Baton
import BatonHTTP
import Foundation
import RandomCases
import Testing

@testable import BatonMock

@Suite("Secrets of BatonMock")
struct SecretTests {
    private static func request(
        _ text: String, _ variables: JSONValue = .object([]), _ headers: HTTPHeaders = [:], names: [String] = []
    ) throws -> Secrets.Request {
        let call = try GraphQLCall(["query": .string(text), "variables": variables], KnownDocuments())
        return Secrets(names).request(call, headers)
    }

    private static func answer(_ json: String, _ request: Secrets.Request, names: [String] = []) -> String {
        String(decoding: Secrets(names).struck(Array(json.utf8), request), as: UTF8.self)
    }

    @Test(arguments: [
        (#"{ login(password: "hunter22") { id } }"#, #"{ login(password: "***") { id } }"#),
        (#"{ a(input: {pass_word: "hunter22", name: "b"}) }"#, #"{ a(input: {pass_word: "***", name: "b"}) }"#),
        (
            #"{ a(tokens: "x", apiKey: ["a", {b: "c"}], d: "e") }"#,
            #"{ a(tokens: "x", apiKey: ["***", {b: "***"}], d: "e") }"#
        ),
        (
            #"query ($authToken: String! = "hunter22", $b: Int = 1) { a }"#,
            #"query ($authToken: String! = "***", $b: Int = 1) { a }"#
        ),
        (#"{ a(otp: 123456, n: 1.5e-3) }"#, #"{ a(otp: 0, n: 1.5e-3) }"#),
        (
            #"{ a(secret: """hun"ter""", b: "password: \"x\"") # token: "x""#,
            #"{ a(secret: "***", b: "password: \"x\"") # token: "x""#
        ),
        (#"{ token pageToken(nextToken: "abc") }"#, #"{ token pageToken(nextToken: "abc") }"#),
    ])
    func valuesInADocumentAreStruckOut(text: String, expected: String) throws {
        #expect(try Self.request(text).document == expected)
    }

    @Test func variablesAreStruckOutByTheirNameAndByWhereTheyGo() throws {
        let request = try Self.request(
            "mutation ($p: String!, $token: String, $id: ID) { login(password: $p, token: $token, id: $id) { id } }",
            ["p": "hunter22", "token": "abc", "id": "1", "more": ["client_secret": ["x", 7, true, .null]]])
        #expect(
            request.variables
                == ["p": "***", "token": "***", "id": "1", "more": ["client_secret": ["***", 0, true, .null]]])
        // A text of the request that an answer repeats is struck out too.
        #expect(Self.answer(#"{"a":"it was hunter22."}"#, request) == #"{"a":"it was ***."}"#)
    }

    @Test func membersOfAnswersAreStruckOut() throws {
        let request = try Self.request("{ login { t: accessToken user { name } } }", names: ["ssn"])
        #expect(
            Self.answer(#"{"data":{"t":"abc","refresh_token":"d","endCursor":"c","n":1}}"#, request)
                == #"{"data":{"t":"***","refresh_token":"***","endCursor":"c","n":1}}"#)
        #expect(
            Self.answer(#"{"ssn":{"number":12,"text":"x"}}"#, request, names: ["SSN"])
                == #"{"ssn":{"number":0,"text":"***"}}"#)
        #expect(Self.answer(#"{"ssn":"x"}"#, request) == #"{"ssn":"x"}"#)
    }

    @Test func credentialsOfTheRequestAreFoundWhereverTheyAreRepeated() throws {
        let request = try Self.request(
            "{ a }", .object([]),
            ["Authorization": "Bearer abcdef123", "Cookie": "sid=qwertz99; theme=dark-blue", "X-Api-Key": "zuiop12345"])
        let answer = Self.answer(#"{"a":"abcdef123","b":["x qwertz99","zuiop12345"],"c":"short"}"#, request)
        #expect(answer == #"{"a":"***","b":["x ***","***"],"c":"short"}"#)
        #expect(Self.answer("no JSON: abcdef123", request) == "no JSON: ***")
    }

    @Test(arguments: [
        ("https://bob:pw@a.b/c?token=x&d=e", "https://***@a.b/c?token=***&d=e"),
        (
            "see https://a/?d=e&X-Amz-Signature=0f;sig=1#access_token=2 now",
            "see https://a/?d=e&X-Amz-Signature=***;sig=***#access_token=*** now"
        ),
        ("https://a/b?pageToken=1&code=2", "https://a/b?pageToken=1&code=***"), ("a = b", "a = b"),
        ("?token=", "?token=***"),
        ("<a href='//x?key=1'>", "<a href='//x?key=***'>"), ("://@", "://***@"), ("mail@a.b?", "mail@a.b?"),
    ])
    func urlsLoseTheirTokens(text: String, expected: String) {
        #expect(Secrets().strikeURLs(text) == expected)
    }

    @Test(.timeLimit(.minutes(20))) func valuesInEachOtherAreReadOnce() throws {
        let text = String(repeating: "password: {", count: 50_000)
        #expect(try Self.request("{ a(\(text) b: \"c\"").document.hasSuffix("b: \"***\""))
    }

    @Test func anyTextIsRead() throws {
        let words = [
            "{", "}", "(", ")", ":", "$", "password", "a", "\"b\"", "\"\"\"", "\"", "\\", "#", "\n", "...", "-1.5e-3",
            "=",
            "[", "]", "!", "://", "@", "?", "&", "token=", " ", "\u{E9}",
        ]
        for seed in RandomCases.seeds(1_000, from: UInt64(1)) {
            var random = SeededGenerator(seed: seed)
            let text = (0..<Int.random(in: 0...30, using: &random)).map { _ in
                words[Int.random(in: 0..<words.count, using: &random)]
            }.joined()
            let call = try GraphQLCall(["query": .string(text)], KnownDocuments())
            let request = Secrets().request(call)
            // What was struck out has no further secrets, and the same key.
            let again = Secrets().request(try GraphQLCall(["query": .string(request.document)], KnownDocuments()))
            #expect(again.key == request.key, "seed \(seed): \(text)")
            #expect(again.document == request.document, "seed \(seed): \(text)")
            let struck = Secrets().strikeURLs(text)
            #expect(Secrets().strikeURLs(struck) == struck, "seed \(seed): \(text)")
        }
    }
}
