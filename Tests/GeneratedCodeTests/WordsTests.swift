import Baton
import Foundation
import Testing

/// Every word with a meaning in Swift is a name in GraphQL: of variables, fields, aliases, input fields, enum values
/// and references. The checks treat warnings as errors, so that the generated code has none.
@Suite struct WordsTests {
    private static func words() throws -> [String] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let text = try String(contentsOf: folder.appending(path: "Words/schema.graphql"), encoding: .utf8)
        let input = text.split(separator: "input WordInput {\n")[1].prefix { $0 != "}" }
        return input.split { $0 == " " || $0 == "\n" }.filter { $0.hasSuffix(":") }.map { String($0.dropLast()) }
    }

    @Test func everyWordOfSwiftIsAField() async throws {
        let words = try Self.words()
        #expect(words.count > 90)
        let members = words.enumerated().map { "\"\($1)\": \($0)" }.joined(separator: ", ")
        let (data, _) = try await answer(WordsQuery(), "{\"data\": {\"words\": {\(members)}}}")
        #expect(data.words.let == words.firstIndex(of: "let"))
        #expect(data.words.var == words.firstIndex(of: "var"))
        #expect(data.words.inout == words.firstIndex(of: "inout"))
        #expect(data.words._2 == words.firstIndex(of: "_"))
    }

    @Test func everyWordOfSwiftIsAVariable() async throws {
        let network = CannedNetwork(#"{"data": null}"#)
        _ = try? await RelayEnvironment(network: network).fetch(WordsQuery(`inout`: 3, let: 1, var: 2))
        #expect(network.variables == ["inout": 3, "let": 1, "var": 2])
        #expect(WordInput(let: 1, var: 2).jsonValue == ["let": 1, "var": 2])
        #expect(Word.let.rawValue == "let" && Word.unknown("x").rawValue == "x")
        #expect(ToldQuery(`inout`: .let(4)) == ToldQuery(variables: .init(`inout`: .let(4))))
    }
}
