import Baton
import Testing

/// The nodes of a connection, besides its edges.
@Suite struct NodeListTests {
    /// Returns the answer with an edge for each title. Nil stands for a null edge, and an empty title for a null node.
    private static func body(_ titles: [String?]) -> String {
        let edges = titles.enumerated().map { number, title in
            guard let title else { return "null" }
            let node = title.isEmpty ? "null" : #"{"__typename":"Book","id":"b\#(number)","title":"\#(title)"}"#
            return #"{"cursor":"c\#(number)","node":\#(node)}"#
        }
        let page = #""pageInfo":{"endCursor":"c","hasNextPage":false}"#
        return #"{"data":{"library":{"books":{"edges":[\#(edges.joined(separator: ","))],\#(page)}}}}"#
    }

    private func books(_ titles: [String?]) async throws -> LibraryPageQuery.Data.Library.Books {
        let (data, _) = try await answer(LibraryPageQuery(count: titles.count), Self.body(titles))
        return try #require(data.library.books)
    }

    @Test func nodesStandInTheOrderOfTheirEdges() async throws {
        let books = try await books(["I", "II", "III"])
        #expect(books.nodes.map(\.title) == ["I", "II", "III"])
        #expect(books.nodes.first?.title == "I" && books.nodes.last?.title == "III")
        #expect(books.nodes.count == 3)
        #expect(books.nodes.dropFirst().map(\.title) == ["II", "III"])
        #expect(books.nodes.reversed().map(\.title) == ["III", "II", "I"])
    }

    @Test(
        "What is null is left out, in short lists and in long ones",
        arguments: [0, 1, 2, 15, 16, 63, 64, 65, 200, 1_500], [1, 2, 3, 7])
    func nullsAreLeftOut(count: Int, step: Int) async throws {
        let titles = (0..<count).map { number -> String? in
            if step > 1, number % step == 1 { return nil }
            return step > 2 && number % step == 2 ? "" : "Book \(number)"
        }
        let books = try await books(titles)
        let edges = try #require(books.edges)
        #expect(edges.count == count)
        let expected = edges.compactMap { $0?.node }
        #expect(Array(books.nodes) == expected)
        #expect(books.nodes.indices.map { books.nodes[$0] } == expected)
        #expect(books.nodes.map(\.title) == titles.filter { $0 != nil && $0 != "" })
        #expect(books.nodes == NodeList(expected))
        #expect(books.nodes.hashValue == NodeList(expected).hashValue)
    }

    @Test func aConnectionReadsThroughOptionals() async throws {
        let (none, _) = try await answer(LibraryPageQuery(count: 1), #"{"data":{"library":{"books":null}}}"#)
        #expect(none.library.books?.nodes == nil)
        let page = #""pageInfo":{"endCursor":null,"hasNextPage":false}"#
        let (empty, _) = try await answer(
            LibraryPageQuery(count: 1), #"{"data":{"library":{"books":{"edges":null,\#(page)}}}}"#)
        #expect(empty.library.books?.nodes == [])
        let books: LibraryPageQuery.Data.Library.Books? = nil
        let nodes = books?.nodes ?? []
        #expect(nodes.isEmpty)
    }

    @Test func nodesAreEqualIfOnlyTheirEdgesChange() async throws {
        let old = try await books(["I", "II"])
        let new = try await books(["I", nil, "II"])
        #expect(old.nodes == new.nodes && old.edges != new.edges)
        #expect(old.nodes != (try await books(["I", "III"])).nodes)
    }

    @Test func aNodeThatCatchHidesIsLeftOut() async throws {
        let edges = #"[{"node":{"id":"1","refetch":"r"}},{"node":{"id":"2","refetch":null}}]"#
        func answered(_ path: String) async throws -> MembersQuery.Data.Second {
            let members = #"{"edges":\#(edges),"id":"m"}"#
            let errors = #"[{"message":"no","path":["second","edges",\#(path)]}]"#
            let body = #"{"data":{"members":null,"first":null,"second":\#(members)},"errors":\#(errors)}"#
            return try #require(try await answer(MembersQuery(), body).data.second)
        }
        let second = try await answered(#"1,"node","refetch""#)
        #expect(second.edges?.map { $0?.node?.id } == ["1", nil])
        #expect(second.nodes.map(\.id) == ["1"])
    }
}
