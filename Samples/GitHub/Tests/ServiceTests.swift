import Baton
import Foundation
import Testing

@testable import GitHubService

/// The service answers as GitHub does: its limits, its errors, its header fields.
struct ServiceTests {
    private static let small = try? GitHubService(
        issues: 60, pulls: 20, comments: 300, faults: Faults(parsing: "latency=0"))

    /// The body of the answer to a document, and the answer.
    private func ask(
        _ text: String, _ variables: JSONValue = .object([]), authorization: String? = "Bearer token",
        of service: GitHubService? = small
    ) async throws -> (json: JSONValue, answer: GitHubService.Answer) {
        let service = try #require(service)
        let body: JSONValue = ["query": .string(text), "variables": variables]
        let answer = try await service.answer(body.jsonBytes, authorization: authorization)
        return (try JSONValue.parse(answer.body), answer)
    }

    private func repository(_ fields: String) -> String {
        "{ repository(owner: \"baton-samples\", name: \"harbor\") { \(fields) } }"
    }

    @Test func dataAreThoseOfTheSeed() async throws {
        let corpus = Corpus(seed: 37, issues: 2000, pulls: 400, comments: 10_000)
        var (first, second) = (corpus, corpus)
        let items = first.items()
        #expect(items.count { !$0.isPull } == 2000)
        #expect(items.count { $0.isPull } == 400)
        #expect(items.reduce(0) { $0 + $1.comments.count } == 10_000)
        #expect(items.contains { $0.comments.count > 100 })
        #expect(items.map(\.title) == second.items().map(\.title))
    }

    @Test func pagesFollowEachOtherToTheEnd() async throws {
        var (seen, cursor, hasNext) = ([String](), JSONValue.null, true)
        while hasNext {
            let document = """
                query($after: String) {
                  repository(owner: "baton-samples", name: "harbor") {
                    issues(first: 25, after: $after) {
                      totalCount edges { cursor node { id } } pageInfo { endCursor hasNextPage }
                    }
                  }
                }
                """
            let json = try await ask(document, ["after": cursor]).json
            #expect(json["errors"] == nil)
            let issues = json["data"]?["repository"]?["issues"]
            guard case .array(let edges)? = issues?["edges"] else { break }
            seen += edges.compactMap { $0["node"]?["id"]?.text }
            cursor = issues?["pageInfo"]?["endCursor"] ?? .null
            hasNext = issues?["pageInfo"]?["hasNextPage"] == .bool(true)
        }
        #expect(seen.count == 60)
        #expect(Set(seen).count == 60)
    }

    @Test(arguments: [
        ("labels { nodes { id } }", "MISSING_PAGINATION_BOUNDARIES"),
        ("labels(first: 101) { nodes { id } }", "EXCESSIVE_PAGINATION"),
        ("issues(first: 1, after: \"x\") { edges { cursor } }", "INVALID_CURSOR_ARGUMENTS"),
    ])
    func limitsOfPagesAreErrors(fields: String, type: String) async throws {
        let json = try await ask(repository(fields)).json
        #expect(json["errors"]?[0]?["type"] == .string(type))
        #expect(json["errors"]?[0]?["extensions"] == nil)
    }

    @Test func countsNeedNoLimits() async throws {
        let json = try await ask(repository("issues { totalCount }")).json
        #expect(json == ["data": ["repository": ["issues": ["totalCount": 60]]]])
    }

    @Test func whatIsNotThereIsNotFound() async throws {
        let json = try await ask("{ repository(owner: \"a\", name: \"b\") { id } }").json
        #expect(json["errors"]?[0]?["type"] == "NOT_FOUND")
        #expect(json["errors"]?[0]?["path"] == ["repository"])
        #expect(json["data"]?["repository"] == .null)
    }

    @Test func credentialsAreNeeded() async throws {
        let refused = try await ask("{ viewer { login } }", authorization: nil)
        #expect(refused.answer.status == 401)
        #expect(refused.json["message"] == "Bad credentials")
    }

    @Test func headersTellTheRateLimit() async throws {
        let service = try GitHubService(issues: 1, pulls: 0, comments: 0, faults: Faults(parsing: "latency=0,limit=2"))
        let first = try await ask("{ rateLimit { remaining } }", of: service)
        #expect(first.answer.headers["x-ratelimit-remaining"] == "1")
        #expect(first.json["data"]?["rateLimit"]?["remaining"] == 1)
        #expect(first.answer.headers["x-github-request-id"] != nil)
        _ = try await ask("{ rateLimit { remaining } }", of: service)
        #expect(try await ask("{ viewer { id } }", of: service).json["errors"]?[0]?["type"] == "RATE_LIMITED")
    }

    @Test func tooManyMutationsMeetTheSecondaryLimit() async throws {
        let service = try GitHubService(issues: 1, pulls: 0, comments: 0, faults: Faults(parsing: "latency=0"))
        let mutation = "mutation { closeIssue(input: {issueId: \"I_1\"}) { issue { state } } }"
        for _ in 0..<80 { #expect(try await ask(mutation, of: service).answer.status == 200) }
        let refused = try await ask(mutation, of: service).answer
        #expect(refused.status == 403)
        #expect(refused.headers["retry-after"] == "60")
    }

    @Test func searchUnderstandsQualifiers() async throws {
        let corpus = Corpus(seed: 37, issues: 60, pulls: 20, comments: 0)
        var maker = corpus
        let items = maker.items()
        let author = try #require(items.first { $0.isPull }?.author.login)
        let search = Search("repo:baton-samples/harbor is:pr author:\(author)")
        #expect(
            items.filter(search.matches).map(\.id) == items.filter { $0.isPull && $0.author.login == author }.map(\.id))
        #expect(
            items.filter(Search("label:\"help wanted\"").matches).allSatisfy {
                $0.labels.contains { $0.name == "help wanted" }
            })
    }

    @Test func aCommentIsAddedAndCounted() async throws {
        let service = try GitHubService(
            issues: 1, pulls: 0, comments: 3, faults: Faults(parsing: "latency=0,comments=2"))
        let mutation = """
            mutation { addComment(input: {subjectId: "I_1", body: "hello"}) {
              commentEdge { node { body author { login } } } subject { ... on Issue { comments { totalCount } } }
            } }
            """
        let added = try await ask(mutation, of: service).json["data"]?["addComment"]
        #expect(added?["commentEdge"]?["node"]?["body"] == "hello")
        #expect(added?["subject"]?["comments"]?["totalCount"] == 4)
        // Every second comment fails, as the faults say.
        #expect(try await ask(mutation, of: service).json["errors"]?[0]?["message"] == "Could not add the comment")
    }

    @Test func reactionsComeAndGo() async throws {
        let service = try GitHubService(issues: 1, pulls: 0, comments: 0, faults: Faults(parsing: "latency=0"))
        func react(_ field: String) async throws -> JSONValue? {
            let mutation = """
                mutation { \(field)(input: {subjectId: "I_1", content: HEART}) {
                  subject { reactionGroups { content viewerHasReacted reactors { totalCount } } }
                } }
                """
            let groups = try await ask(mutation, of: service).json["data"]?[field]?["subject"]?["reactionGroups"]
            return groups?[5]
        }
        let added = try await react("addReaction")
        #expect(added?["content"] == "HEART")
        #expect(added?["viewerHasReacted"] == true)
        #expect(try await react("removeReaction")?["viewerHasReacted"] == false)
    }

    @Test func anOutageEndsByItself() throws {
        let faults = try Faults(parsing: "outage=20/5")
        #expect(!faults.isOffline(after: .seconds(14)))
        #expect(faults.isOffline(after: .seconds(15)))
        #expect(!faults.isOffline(after: .seconds(20)))
        #expect(throws: Faults.Failure.self) { try Faults(parsing: "outage=5/20") }
    }
}

extension JSONValue {
    /// The item of an array; nil if there is none.
    fileprivate subscript(index: Int) -> JSONValue? {
        guard case .array(let items) = self, items.indices.contains(index) else { return nil }
        return items[index]
    }
}
