import Baton
import Foundation
import Testing

@testable import BatonHTTP

/// The field `Accept` of an operation with `@defer` or `@stream`, as servers read it.
@Suite struct IncrementalFormatTests {
    private static let url = URL(string: "http://host/graphql") ?? URL(fileURLWithPath: "/")

    /// What a server does with the field. Each case is the rule of a server that is in use.
    enum Server: String, CaseIterable {
        /// Apollo Server from 5.2, with the format of today alone, or with the older one beside it.
        case apollo, apolloWithBoth
        /// Apollo Server before 5.1, and Mercurius.
        case apolloBefore
        /// Apollo Router: an entry somewhere with the older format.
        case apolloRouter
        /// Cosmo Router: an entry somewhere that does not name another format than today's.
        case cosmo
        /// Hot Chocolate: the first entry that it has a format for.
        case hotChocolate
        /// GraphQL Yoga: the type somewhere, whatever its parameters are.
        case yoga
        /// Strawberry, gqlgen: the name of the type somewhere in the text.
        case gqlgen
        /// A server that looks at the first entry alone.
        case firstEntry
        /// A server that compares whole entries.
        case exactEntry, exactOldEntry
        /// Ariadne: streams of events alone.
        case ariadne
        /// No incremental delivery at all.
        case none
    }

    enum Verdict: Equatable { case new, old, events, json, refused }

    private static func verdict(of server: Server, _ accept: String) -> Verdict {
        let entries = accept.split(separator: ",").map(Entry.init)
        let multipart = entries.filter { $0.type == "multipart/mixed" }
        let old = multipart.contains { $0.parameters["deferspec"] == "20220824" }
        switch server {
        case .apollo: return preferred(entries, [nil, newFormat, oldFormat]) == newFormat ? .new : .refused
        case .apolloWithBoth:
            let choice = preferred(entries, [nil, newFormat, oldFormat])
            return choice == newFormat ? .new : choice == oldFormat ? .old : .refused
        case .apolloBefore: return preferred(entries, [nil, oldFormat]) == oldFormat ? .old : .refused
        case .apolloRouter: return old ? .old : .refused
        case .cosmo:
            let isKnown = multipart.contains {
                $0.parameters["deferspec"] == nil && ["v0.2", nil].contains($0.parameters["incrementalspec"])
            }
            return isKnown ? .new : .refused
        case .hotChocolate:
            guard let first = entries.first(where: { ["multipart/mixed", "text/event-stream"].contains($0.type) })
            else { return .refused }
            if first.type == "text/event-stream" { return .events }
            return first.parameters["incrementalspec"] == "v0.1" ? .old : .new
        case .yoga: return multipart.isEmpty ? .refused : .old
        case .gqlgen: return accept.contains("multipart/mixed") ? .old : .refused
        case .firstEntry: return entries.first?.type == "multipart/mixed" ? .new : .refused
        case .exactEntry:
            return entries.contains { $0.text == "multipart/mixed;incrementalSpec=v0.2" } ? .new : .refused
        case .exactOldEntry:
            return entries.contains { $0.text == "multipart/mixed;deferSpec=20220824" } ? .old : .refused
        case .ariadne: return accept.contains("text/event-stream") ? .events : .refused
        case .none: return entries.contains { $0.type == "application/json" } ? .json : .refused
        }
    }

    private static let newFormat = Entry("multipart/mixed;incrementalSpec=v0.2")
    private static let oldFormat = Entry("multipart/mixed;deferSpec=20220824")

    struct Entry: Equatable {
        let text: String
        let type: String
        private(set) var parameters: [String: String] = [:]
        var weight: Double { parameters["q"].flatMap { Double($0) } ?? 1 }

        init(_ text: some StringProtocol) {
            self.text = text.trimmingCharacters(in: .whitespaces)
            let parts = self.text.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            type = parts.first?.lowercased() ?? ""
            for part in parts.dropFirst() {
                let pair = part.split(separator: "=", maxSplits: 1)
                parameters[pair[0].lowercased()] = pair.count > 1 ? String(pair[1]) : ""
            }
        }
    }

    /// The rule of the package `negotiator`: of the provided types, nil being the one without parameters, that which
    /// the most specific entry for each gives the greatest weight. If weights are equal, the more specific one counts,
    /// then the earlier entry.
    private static func preferred(_ entries: [Entry], _ provided: [Entry?]) -> Entry? {
        var best: (weight: Double, specificity: Int, place: Int, type: Entry?)?
        for type in provided {
            var priority: (specificity: Int, weight: Double, place: Int)?
            for (place, entry) in entries.enumerated() where ["multipart/mixed", "*/*"].contains(entry.type) {
                let wanted = entry.parameters.filter { $0.key != "q" }
                guard wanted.allSatisfy({ type?.parameters[$0.key] == $0.value }) else { continue }
                let found = ((entry.type == "*/*" ? 0 : 6) + (wanted.isEmpty ? 0 : 1), entry.weight, place)
                if priority.map({ $0 < found }) ?? true { priority = found }
            }
            guard let priority else { continue }
            let isBetter = best.map {
                ($0.weight, $0.specificity, -$0.place) < (priority.weight, priority.specificity, -priority.place)
            }
            if isBetter ?? true { best = (priority.weight, priority.specificity, priority.place, type) }
        }
        return best?.type
    }

    private static func answer(_ verdict: Verdict) -> ScriptedTransport.Answer {
        let first = #"{"data":{"a":1},"hasNext":true}"#
        let newParts = [
            #"{"data":{"a":1},"pending":[{"id":"0","path":[]}],"hasNext":true}"#,
            #"{"incremental":[{"id":"0","data":{"b":2}}],"completed":[{"id":"0"}],"hasNext":false}"#,
        ]
        let oldParts = [first, #"{"incremental":[{"path":[],"data":{"b":2}}],"hasNext":false}"#]
        switch verdict {
        case .new, .old:
            let parts = (verdict == .new ? newParts : oldParts).map { "\r\n---\r\n\r\n\($0)" } + ["\r\n-----\r\n"]
            return .init(200, ["Content-Type": "multipart/mixed; boundary=\"-\""], .pieces(parts))
        case .events:
            let events = newParts.map { "event: next\ndata: \($0)\n\n" } + ["event: complete\n\n"]
            return .init(200, ["Content-Type": "text/event-stream"], .pieces(events))
        case .json: return .json(#"{"data":{"a":1,"b":2}}"#)
        case .refused: return .json(#"{"errors":[{"message":"Add the HTTP header 'Accept: x'"}]}"#, status: 406)
        }
    }

    private static func network(_ server: Server) -> (HTTPNetwork, ScriptedTransport) {
        let transport = ScriptedTransport { answer(verdict(of: server, $0.headers["Accept"] ?? "*/*")) }
        return (HTTPNetwork(url: url, transport: transport), transport)
    }

    private static func request(headers: [String: String] = [:]) -> NetworkRequest {
        NetworkRequest(
            id: 1, operationName: "Q", kind: .query, text: "{ a ... @defer { b } }",
            configuration: RequestConfiguration(headers: headers), isIncremental: true)
    }

    @Test(arguments: Server.allCases)
    func everyServerGivesAFormatThatIsRead(_ server: Server) async throws {
        let (network, _) = Self.network(server)
        var count = 0
        for try await _ in network.responses(to: Self.request()) { count += 1 }
        #expect(count == (server == .none ? 1 : 2))
    }

    @Test func todaysFormatIsPreferred() async throws {
        for server in [Server.apollo, .apolloWithBoth, .hotChocolate, .firstEntry, .cosmo] {
            let (network, transport) = Self.network(server)
            _ = try await network.send(Self.request())
            let accept = try #require(transport.sent.first?.headers["Accept"])
            #expect(Self.verdict(of: server, accept) == .new, "\(server)")
        }
    }

    @Test(arguments: [
        ("multipart/mixed;deferSpec=20220824, application/json", Server.apollo),
        ("application/json", .apolloBefore), ("multipart/mixed", .apollo),
    ])
    func aRefusalSaysWhatWasSent(_ accept: String, _ server: Server) async {
        let (network, _) = Self.network(server)
        let error = await #expect(throws: RelayError.self) {
            try await network.send(Self.request(headers: ["accept": accept]))
        }
        guard case .transport(HTTPError.notAcceptable(accept, let body)) = error?.reason else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(body.contains("Add the HTTP header"))
        #expect(error?.answeredStatus == 406 && error?.kind == .network)
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("'Accept: \(accept)'") && text.contains("status 406"))
        #expect(!RetryInterceptor.isTransient(error ?? .cancelled))
    }

    @Test func aStreamOfManyOperationsSaysItToo() async {
        let transport = ScriptedTransport { _ in
            .init(406, ["Content-Type": "text/plain"], .whole("no streams here"))
        }
        let network = EventStreamNetwork(url: Self.url, transport: transport)
        let error = await #expect(throws: RelayError.self) { try await network.send(Self.request()) }
        #expect(error == .transport(HTTPError.notAcceptable(accept: "text/plain", body: "no streams here")))
    }

    @Test func aRefusalRepeatsNoCredentials() async {
        let transport = ScriptedTransport { _ in
            .init(406, ["Content-Type": "text/plain"], .whole("not for s3cr3t-t0ken"))
        }
        let network = HTTPNetwork(url: Self.url, transport: transport) { _ in ["Authorization": "Bearer s3cr3t-t0ken"] }
        let error = await #expect(throws: RelayError.self) { try await network.send(Self.request()) }
        #expect(error.map { "\($0)".contains("not for ***") } == true)
    }
}
