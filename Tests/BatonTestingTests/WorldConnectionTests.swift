import Baton
import BatonTesting
import Testing

@Suite("World: connections")
struct WorldConnectionTests {
    private struct Walk {
        var ids: [JSONValue] = []
        var cursors: [JSONValue] = []
        var pages = 0
    }

    /// Follows a connection from page to page.
    private func walk(_ world: World, _ count: Int, backwards: Bool) throws -> Walk {
        var walk = Walk()
        var cursor = JSONValue.null
        repeat {
            let arguments = backwards ? "last: $n, before: $c" : "first: $n, after: $c"
            let data = try world.data(
                """
                query Q($n: Int!, $c: String) { film(id: "Film:2") { cast(\(arguments)) { totalCount nodes { id }
                  edges { cursor role node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }
                """, ["n": .int(count), "c": cursor])
            let page = try #require(data.at("film.cast"))
            let edges = try #require(page["edges"]?.arrayValue)
            let ids = edges.compactMap { $0.at("node.id") }
            #expect(page["nodes"]?.arrayValue?.compactMap { $0["id"] } == ids)
            #expect(page.at("pageInfo.startCursor") == edges.first?["cursor"])
            #expect(page.at("pageInfo.endCursor") == edges.last?["cursor"])
            walk.pages += 1
            let cursors = edges.compactMap { $0["cursor"] }
            walk.ids = backwards ? ids + walk.ids : walk.ids + ids
            walk.cursors = backwards ? cursors + walk.cursors : walk.cursors + cursors
            let (next, end) = backwards ? ("hasPreviousPage", "startCursor") : ("hasNextPage", "endCursor")
            guard page.at("pageInfo.\(next)") == true else { break }
            cursor = try #require(page.at("pageInfo.\(end)"))
        } while walk.pages < 100
        return walk
    }

    @Test("pages join to the whole list, forwards and backwards, whatever their size", arguments: [1, 2, 3, 5, 100])
    func pagesJoin(size: Int) throws {
        for seed in 1...5 as ClosedRange<UInt64> {
            let world = try WorldSamples.world(seed: seed)
            let whole = try world.data("{ film(id: \"Film:2\") { cast { totalCount edges { cursor node { id } } } } }")
            let edges = try #require(whole.at("film.cast.edges")?.arrayValue)
            for backwards in [false, true] {
                let walk = try walk(world, size, backwards: backwards)
                #expect(walk.ids == edges.compactMap { $0.at("node.id") })
                #expect(walk.cursors == edges.compactMap { $0["cursor"] })
                #expect(walk.pages == (edges.count + size - 1) / size)
            }
            #expect(whole.at("film.cast.totalCount") == .int(edges.count))
            #expect(Set(edges).count == edges.count)
        }
    }

    @Test("an edge is the same on every page")
    func edgesStay() throws {
        let world = try WorldSamples.world()
        let whole = try world.data("{ film(id: \"Film:2\") { cast { edges { cursor role } } } }")
        let edges = try #require(whole.at("film.cast.edges")?.arrayValue)
        let later = try world.data(
            "query Q($c: String) { film(id: \"Film:2\") { cast(first: 1, after: $c) { edges { cursor role } } } }",
            ["c": edges[2]["cursor"] ?? .null])
        #expect(later.at("film.cast.edges.0") == edges[3])
    }

    @Test("arguments that filter give another list, and a negative count is an error")
    func otherArguments() throws {
        let world = try WorldSamples.world()
        let data = try world.data(
            "{ films { edges { node { id } } } noir: films(genre: NOIR) { edges { node { id } } } }")
        #expect(data["films"] != data["noir"])
        #expect(world.execute("{ films(first: -1) { totalCount } }")["errors"] != nil)
    }

    @Test("an empty page says where it is")
    func emptyPages() throws {
        let data = try WorldSamples.world().data(
            """
            { none: films(first: 0) { pageInfo { hasNextPage hasPreviousPage endCursor } }
              end: films(last: 0) { pageInfo { hasNextPage hasPreviousPage endCursor } } }
            """)
        #expect(
            data.at("none.pageInfo") == ["hasNextPage": true, "hasPreviousPage": false, "endCursor": nil])
        #expect(data.at("end.pageInfo") == ["hasNextPage": false, "hasPreviousPage": true, "endCursor": nil])
    }

    @Test("a plain list is cut by a limit and an offset")
    func listsAreCut() throws {
        let world = try WorldSamples.world()
        let all = try #require(try world.data("{ people { id } }")["people"]?.arrayValue)
        #expect(all.count >= 6)
        let cut = try world.data("{ people(limit: 2, offset: 3) { id } }")
        #expect(cut["people"]?.arrayValue == Array(all[3..<5]))
        #expect(try world.data("{ people(limit: 2, offset: 300) { id } }")["people"] == [])
    }

    @Test("cursors hold when the items before and at them are deleted")
    func cursorsHold() throws {
        let world = try WorldSamples.world()
        let text = "query Q($c: String) { films(first: 2, after: $c) { edges { cursor node { id } } } }"
        let whole = try world.data("{ films { totalCount edges { cursor node { id } } } }")
        let edges = try #require(whole.at("films.edges")?.arrayValue)
        let id = try #require(edges[1].at("node.id"))
        _ = try world.data("mutation M($id: ID!) { deleteFilm(id: $id) { success } }", ["id": id])
        let next = try world.data(text, ["c": edges[1]["cursor"] ?? .null])
        #expect(next.at("films.edges")?.arrayValue == Array(edges[2..<4]))
        let after = try world.data("{ films { totalCount edges { node { id } } } }")
        #expect(after.at("films.totalCount") == .int(edges.count - 1))
        #expect(after.at("films.edges")?.arrayValue?.count == edges.count - 1)
    }
}
