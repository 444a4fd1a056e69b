import Baton
import BatonTesting
import Testing

@Suite("LocalConnection")
struct LocalConnectionTests {
    @Test(
        "pages are cut by the algorithm of the connection specification",
        arguments: [
            (nil, nil, nil, nil, "abcde", false, false),
            (2, nil, nil, nil, "ab", false, true),
            (2, "b", nil, nil, "cd", true, true),
            (2, "d", nil, nil, "e", true, false),
            (2, "e", nil, nil, "", true, false),
            (0, nil, nil, nil, "", false, true),
            (9, nil, nil, nil, "abcde", false, false),
            (nil, nil, 2, nil, "de", true, false),
            (nil, nil, 2, "d", "bc", true, true),
            (nil, nil, 9, "d", "abc", false, true),
            (nil, "a", nil, "e", "bcd", true, true),
            (nil, "d", nil, "b", "", true, true),
            (3, nil, 2, nil, "bc", true, true),
            (2, "unknown", nil, nil, "ab", false, true),
            (nil, nil, nil, "unknown", "abcde", false, false),
            (.max, "a", .max, nil, "bcde", true, false),
        ] as [(Int?, String?, Int?, String?, String, Bool, Bool)]
    )
    func pagesAreThoseOfTheConnectionSpecification(
        _ first: Int?, _ after: String?, _ last: Int?, _ before: String?,
        _ expected: String, _ hasPrevious: Bool, _ hasNext: Bool
    ) throws {
        let letters = ["a", "b", "c", "d", "e"]
        let page = try LocalConnection(letters, first: first, after: after, last: last, before: before) { $0 }
        #expect(page.edges.map(\.node).joined() == expected)
        #expect(page.edges.map(\.cursor).joined() == expected)
        #expect(page.hasPreviousPage == hasPrevious)
        #expect(page.hasNextPage == hasNext)
        #expect(page.totalCount == 5)
    }

    @Test("a negative count is an error")
    func aNegativeCountIsAnError() {
        #expect(throws: LocalError("'first' must not be negative, but it is -1")) {
            try LocalConnection([1, 2], first: -1)
        }
        #expect(throws: LocalError("'last' must not be negative, but it is -5")) {
            try LocalConnection([1, 2], last: -5)
        }
    }

    @Test("cursors walk through a list page by page in both directions", arguments: 1...4)
    func cursorsWalkThroughAListInBothDirections(_ size: Int) throws {
        let nodes = Array(0..<9)
        var forward: [Int] = []
        var cursor: String?
        repeat {
            let page = try LocalConnection(nodes, first: size, after: cursor)
            forward += page.edges.map(\.node)
            cursor = page.hasNextPage ? page.edges.last?.cursor : nil
        } while cursor != nil
        #expect(forward == nodes)

        var backward: [Int] = []
        repeat {
            let page = try LocalConnection(nodes, last: size, before: cursor)
            backward = page.edges.map(\.node) + backward
            cursor = page.hasPreviousPage ? page.edges.first?.cursor : nil
        } while cursor != nil
        #expect(backward == nodes)
    }

    @Test("a service answers with edges, nodes, page info and count")
    func aServiceAnswersWithAConnection() throws {
        let schema = """
            type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
            type Film { title: String! }
            type FilmEdge { node: Film cursor: String! }
            type FilmConnection { edges: [FilmEdge] nodes: [Film!]! pageInfo: PageInfo! totalCount: Int! }
            type Query { films(first: Int = 2, after: String, last: Int, before: String): FilmConnection! }
            """
        var resolvers = LocalResolvers()
        resolvers.field("Query", "films") { context in
            let films: [JSONValue] = [["title": "IV"], ["title": "V"], ["title": "VI"]]
            return try LocalConnection(films, context.arguments)
        }
        let service = try LocalService(schema: schema, resolvers: resolvers)
        let selection =
            "edges { cursor node { title } } nodes { title } totalCount "
            + "pageInfo { startCursor endCursor hasNextPage hasPreviousPage }"
        #expect(
            service.execute("{ films { \(selection) } }").description
                == #"{"data":{"films":{"edges":[{"cursor":"0","node":{"title":"IV"}},{"cursor":"1","node":{"title":"V"}}],"#
                + #""nodes":[{"title":"IV"},{"title":"V"}],"totalCount":3,"#
                + #""pageInfo":{"startCursor":"0","endCursor":"1","hasNextPage":true,"hasPreviousPage":false}}}}"#
        )
        #expect(
            service.execute("{ films(first: 0) { \(selection) } }").description
                == #"{"data":{"films":{"edges":[],"nodes":[],"totalCount":3,"#
                + #""pageInfo":{"startCursor":null,"endCursor":null,"hasNextPage":true,"hasPreviousPage":false}}}}"#
        )
        #expect(
            service.execute("{ films(first: -1) { totalCount } }").description.contains("'first' must not be negative"))
    }
}
