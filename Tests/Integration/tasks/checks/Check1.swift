import Baton

/// Five films, two on a page.
private func page(_ request: NetworkRequest) -> String {
    let after = Int(variable("after", of: request)?.filter(\.isNumber) ?? "") ?? 0
    let films = (after + 1...min(after + 2, 5)).map { number in
        #"{"cursor":"\#(number)","node":{"__typename":"Film","id":"f\#(number)","title":"Film \#(number)"}}"#
    }
    let last = min(after + 2, 5)
    return #"{"data":{"films":{"edges":[\#(films.joined(separator: ","))],"pageInfo":{"hasNextPage":\#(last < 5),"#
        + #""endCursor":"\#(last)","hasPreviousPage":false,"startCursor":"1"}}}}"#
}

@main struct Check {
    static func main() async throws {
        let server = Server(page)
        let all = ["Film 1", "Film 2", "Film 3", "Film 4", "Film 5"]
        expect(try await titles(pages: 1, in: RelayEnvironment(network: server)), Array(all.prefix(2)), "one page")
        expect(try await titles(pages: 2, in: RelayEnvironment(network: server)), Array(all.prefix(4)), "two pages")
        expect(try await titles(pages: 9, in: RelayEnvironment(network: server)), all, "all pages")
        expect(server.requests.count, 6, "requests")
        let failing = Server { request in
            if variable("after", of: request)?.contains("2") == true { throw Unreachable() }
            return page(request)
        }
        let error = await thrown { try await titles(pages: 3, in: RelayEnvironment(network: failing)) }
        if error == nil { fail("a page that fails throws nothing") }
        let dead = Server { _ in throw Unreachable() }
        let first = await thrown { try await titles(pages: 1, in: RelayEnvironment(network: dead)) }
        if first == nil { fail("a first page that fails throws nothing") }
    }
}
