import Baton
import BatonTesting
import Foundation
import Testing

/// Inline fragments with `@alias`. Each is a struct of its own.
@Suite struct AliasesTests {
    private struct MissingValue: Error {}

    private func found(_ fields: String, isShown: Bool = true) async throws -> AliasesQuery.Data.Library.Found? {
        let body = #"{"data":{"library":{"found":{\#(fields)}}}}"#
        return try await answer(AliasesQuery(id: "1", isShown: isShown), body).data.library.found
    }

    @Test func aTypeThatMatchesShowsItsFields() async throws {
        let found = try #require(
            try await found(
                #""__typename":"Book","__isTitled":"Book","id":"b","title":"T","best":{"id":"c","title":"C"},"isbn":"i""#
            ))
        #expect(found.book?.title == "T" && found.book?.best?.title == "C")
        #expect(found.film == nil && found.titled?.title == "T")
        #expect(found.always.id == "b" && found.shown?.id == "b")
        guard case .success(let errors) = found.errors else { throw MissingValue() }
        #expect(errors?.isbn == "i")
        #expect(found.nulled?.isbn == "i")
    }

    @Test func aTypeThatDoesNotMatchIsNil() async throws {
        let found = try #require(try await found(#""__typename":"Film","id":"f""#, isShown: false))
        #expect(found.book == nil && found.film?.id == "f" && found.titled == nil)
        #expect(found.always.id == "f" && found.shown == nil && found.nulled == nil)
        #expect(found.errors == .success(nil))
    }

    /// A required field makes the struct of the alias null, and no object around it.
    @Test func aRequiredFieldTakesItsAlias() async throws {
        let found = try #require(
            try await found(#""__typename":"Book","__isTitled":"Book","id":"b","title":null,"best":null,"isbn":"i""#))
        #expect(found.book == nil && found.always.id == "b")
        #expect(found.titled != nil && found.titled?.title == nil)
    }

    @Test func errorsAreCaughtAtTheAlias() async throws {
        let fields = #""__typename":"Book","__isTitled":"Book","id":"b","title":"T","best":null,"isbn":null"#
        let body =
            #"{"data":{"library":{"found":{\#(fields)}}},"errors":[{"message":"no","path":["library","found","isbn"]}]}"#
        let found = try #require(try await answer(AliasesQuery(id: "1"), body).data.library.found)
        guard case .failure(let errors) = found.errors else {
            Issue.record("\(found.errors)")
            return
        }
        #expect(errors.count == 1 && found.nulled == nil && found.book?.title == "T")
    }

    /// A server executes the text, and each alias shows its own data.
    @Test(arguments: ["b1", "b4", "f1"])
    func aServerAnswersTheTextOfAliases(_ id: String) async throws {
        let schema = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Schema/schema.graphql")
        var resolvers = LocalResolvers()
        resolvers.resolveType("Node") { value in
            guard let value = value as? JSONValue, case .string(let id)? = value["id"] else { return nil }
            return id.hasPrefix("b") ? "Book" : "Film"
        }
        resolvers.field("Query", "library") { _ in [:] as JSONValue }
        resolvers.field("Library", "found") { context in
            ["id": context.arguments["id"] ?? .null, "title": "T"] as JSONValue
        }
        resolvers.field("Book", "isbn", of: JSONValue.self) { book, _ in
            if book["id"] == "b4" { throw LocalError("no isbn") }
            return "i"
        }
        let service = try LocalService(schema: String(contentsOf: schema, encoding: .utf8), resolvers: resolvers)
        let response = try await RelayEnvironment(network: service).fetch(AliasesQuery(id: id, isShown: id != "b4"))
        #expect(response.errors.map(\.message) == (id == "b4" ? ["no isbn"] : []))
        let found = try #require(response.data?.library.found)
        let isBook = id.hasPrefix("b")
        #expect(found.id == id && found.always.id == id && found.shown?.id == (id == "b4" ? nil : id))
        #expect(found.book?.title == (isBook ? "T" : nil) && found.titled?.title == (isBook ? "T" : nil))
        #expect(found.film?.id == (isBook ? nil : id))
        #expect(found.nulled?.isbn == (id == "b1" ? "i" : nil))
        #expect(found.errors.errors.count == (id == "b4" ? 1 : 0))
    }
}
