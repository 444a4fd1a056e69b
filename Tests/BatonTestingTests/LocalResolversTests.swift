import Baton
import BatonTesting
import Testing

@Suite("Resolvers")
struct LocalResolversTests {
    private struct Film: Sendable {
        let id: Int
        let title: String
        let episode: Episode?
        let released: Day
        var tags: [String] = []
    }

    private enum Episode: String, Sendable { case hope = "NEW_HOPE" }

    private struct Day: Sendable { let year: Int }

    private static let schema = """
        scalar Day
        enum Episode { NEW_HOPE }
        interface Titled { title: String! shout: String! }
        type Film implements Titled { id: ID! title: String! shout: String! episode: Episode released: Day tags: [String!]! }
        type Book implements Titled { title: String! shout: String! pages: Float }
        union Work = Film | Book
        type Query { film: Film works: [Work!]! titled: Titled missing: Film root: String }
        """

    private static let film = Film(id: 4, title: "A New Hope", episode: .hope, released: Day(year: 1977), tags: ["war"])

    @Test("fields come from stored properties, entries and members where no resolver is registered")
    func fieldsWithoutAResolverComeFromTheValue() throws {
        var resolvers = LocalResolvers()
        resolvers.object("Film", Film.self)
        resolvers.scalar("Day", Day.self) { .int($0.year) }
        resolvers.field("Query", "film") { _ in Self.film }
        resolvers.field("Query", "works") { _ in
            [
                Self.film,
                ["__typename": "Book", "title": "Dictionary", "pages": 1] as [String: any Sendable],
                ["__typename": "Book", "title": "JSON", "pages": 2] as JSONValue,
                ["__typename": "Book", "title": "JSON members", "pages": 3] as [String: JSONValue],
                LocalObject("Book", ["title": "Wrapped"]),
            ] as [any Sendable]
        }
        let service = try LocalService(schema: Self.schema, resolvers: resolvers)
        #expect(
            service.execute("{ film { id title episode released tags } }").description
                == #"{"data":{"film":{"id":"4","title":"A New Hope","episode":"NEW_HOPE","released":1977,"tags":["war"]}}}"#
        )
        #expect(
            service.execute("{ works { ... on Titled { title } ... on Book { pages } } }").description
                == #"{"data":{"works":[{"title":"A New Hope"},{"title":"Dictionary","pages":1.0},{"title":"JSON","pages":2.0},"#
                + #"{"title":"JSON members","pages":3.0},{"title":"Wrapped","pages":null}]}}"#
        )
    }

    @Test("a resolver of an interface serves the types that implement it, unless they have their own")
    func aResolverOfAnInterfaceServesItsTypes() throws {
        var resolvers = LocalResolvers()
        resolvers.field("Titled", "shout", of: JSONValue.self) { source, context in
            guard case .string(let title) = source["title"] else { return nil }
            return "\(context.typeName): \(title.uppercased())"
        }
        resolvers.field("Book", "shout") { _ in "quiet" }
        resolvers.resolveType("Titled") { ($0 as? JSONValue)?["pages"] == nil ? "Film" : "Book" }
        resolvers.field("Query", "titled") { _ in ["title": "Hope"] as JSONValue }
        resolvers.field("Query", "works") { _ in [["__typename": "Book", "title": "Hope"] as JSONValue] }
        let service = try LocalService(schema: Self.schema, resolvers: resolvers)
        #expect(
            service.execute("{ titled { shout } works { ... on Titled { shout } } }").description
                == #"{"data":{"titled":{"shout":"Film: HOPE"},"works":[{"shout":"quiet"}]}}"#
        )
    }

    @Test("root fields can come from a root value")
    func rootFieldsMayComeFromARootValue() throws {
        let service = try LocalService(
            schema: Self.schema, resolvers: LocalResolvers(), root: ["root": "value"] as JSONValue)
        #expect(service.execute("{ root film { id } }") == ["data": ["root": "value", "film": nil]])
    }

    @Test("a field without a resolver and a value is an error that says so")
    func aFieldWithoutAValueIsAnError() throws {
        var resolvers = LocalResolvers()
        resolvers.field("Query", "film") { _ in Self.film }
        resolvers.field("Film", "shout", of: Day.self) { day, _ in "\(day)" }
        let service = try LocalService(schema: Self.schema, resolvers: resolvers)
        let answer = service.execute("{ a: film { shout } works { __typename } }")
        #expect(answer["data"] == nil || answer["data"] == .null)
        let text = answer.description
        #expect(text.contains("the resolver of 'Film.shout' takes a Day, but the parent is a Film"))
        #expect(text.contains("There is no resolver for 'Query.works'."))
        let noResolver = try LocalService(schema: Self.schema, resolvers: LocalResolvers(), root: 1)
        #expect(
            noResolver.execute("{ root }").description
                .contains("There is no resolver for 'Query.root', and Int has no property of that name.")
        )
    }

    @Test("any error that a resolver throws shows its description")
    func anyErrorOfAResolverShowsItsDescription() throws {
        struct Trouble: Error, CustomStringConvertible { let description = "trouble ahead" }
        var resolvers = LocalResolvers()
        resolvers.field("Query", "film") { _ in throw Trouble() }
        let service = try LocalService(schema: Self.schema, resolvers: resolvers)
        #expect(
            service.execute("{ film { id } }")
                == [
                    "errors": [
                        ["message": "trouble ahead", "locations": [["line": 1, "column": 3]], "path": ["film"]]
                    ],
                    "data": ["film": nil],
                ]
        )
    }

    @Test("resolvers for types and fields that the schema lacks are refused, all at once")
    func resolversForUnknownFieldsAreRefused() {
        var resolvers = LocalResolvers()
        resolvers.field("Film", "titel") { _ in nil }
        resolvers.field("Movie", "title") { _ in nil }
        resolvers.object("Titled", Film.self)
        resolvers.resolveType("Film") { _ in nil }
        resolvers.scalar("Date", Day.self) { .int($0.year) }
        let error = #expect(throws: LocalSchemaError.self) {
            try LocalService(schema: Self.schema, resolvers: resolvers)
        }
        #expect(
            error?.messages == [
                "the schema has no interface or union 'Film'",
                "the schema has no object or interface type 'Movie'",
                "the schema has no object type 'Titled'",
                "the schema has no scalar 'Date'; did you mean 'Day'?",
                "the type 'Film' has no field 'titel'; did you mean 'title'?",
            ]
        )
    }

    @Test("a bad schema is refused with every mistake and its place")
    func aBadSchemaIsRefusedWithEveryMistake() {
        let error = #expect(throws: LocalSchemaError.self) {
            try LocalService(schema: "type Query {\n  a: Nope\n  b: [Int\n}\n", resolvers: LocalResolvers())
        }
        #expect(error?.messages.isEmpty == false)
        #expect(error?.description.contains("schema:2:6: error: unknown type 'Nope'") == true)
        #expect(error?.description.contains("schema:4:1: error: ") == true)
    }
}
