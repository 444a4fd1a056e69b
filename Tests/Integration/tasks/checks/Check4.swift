import Baton
import Films

@main struct Check {
    static func main() async throws {
        let server = Server { _ in #"{"data":{"search":[{"__typename":"Film","id":"f1","title":"Up"}]}}"# }
        let environment = RelayEnvironment(network: server)
        expect(try await search("u", genre: .comedy, years: [2009, 2010], in: environment), ["Up"], "titles")
        expect(try await search(nil, genre: nil, years: [], in: environment), ["Up"], "titles of everything")
        expect(try await searchWithoutGenre("u", in: environment), ["Up"], "titles without a genre")
        let sent = server.requests.map { request in
            ["text", "genre", "years"].map { variable($0, of: request) ?? "-" }.joined(separator: " ")
        }
        expect(sent, [#""u" "COMEDY" [2009,2010]"#, "- - -", #""u" null -"#], "variables")
    }
}
