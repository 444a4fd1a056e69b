// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Baton
import Testing

/// Field handlers of the application, through the public interface and hand-written plans.
@Suite struct FieldHandlerTests {
    struct Count: GraphQLQuery {
        static let artifact = GeneratedCode.OperationArtifact(
            name: "Count", kind: .query, text: "query Count($by: String) { seen(by: $by, first: 1) { id } }",
            normalization: "(by){seen(by:$by,first:1):[+Film!]@handle(\"union\",\"Seen\",by){id:ID!}}",
            reader: "(by){seen(by:$by,first:1):[+Film!]@handle(\"union\",\"Seen\",by){id:ID!}}")
        var variables: Variables

        struct Variables: GeneratedCode.Variables, Hashable {
            var by: String
            var __fields: GeneratedCode.InputFields { .init("by") { $0.addString(by) } }
        }

        struct Film: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var id: String { __row.string(0) }
        }

        struct Data: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var seen: ObjectList<Film>? { __row.optionalObjects(0) }
        }
    }

    /// Keeps the union of all answers.
    private static let union = FieldHandler("union") { _, field in
        #expect(field.source.name == "seen")
        #expect(field.source.record == field.target.record)
        #expect(field.target.storageKey == "__Seen_union(by:\"me\")")
        #expect(field.arguments == ["by": "me", "first": 1])
        #expect(field.filters == ["by": "me"])
        var all = field.target.linkedRecords ?? []
        for film in field.source.linkedRecords ?? [] where !all.contains(film) { all.append(film) }
        try field.target.setLinkedRecords(all)
    }

    private let network = ScriptedNetwork()

    private func environment(_ handlers: [FieldHandler], log: @escaping @Sendable (LogEvent) -> Void = { _ in })
        -> RelayEnvironment
    {
        RelayEnvironment(network: network, options: StoreOptions(fieldHandlers: handlers), log: log)
    }

    private func fetch(_ json: String, _ environment: RelayEnvironment) async throws -> [String]? {
        let task = Task { try await environment.fetch(Count(variables: .init(by: "me"))) }
        while network.waiting == 0 { await Task.yield() }
        network.answer(json)
        return try await task.value.data?.seen?.map(\.id)
    }

    @Test func aHandlerKeepsWhatReadersSee() async throws {
        let environment = environment([Self.union])
        #expect(try await fetch(#"{"data":{"seen":[{"id":"1"}]}}"#, environment) == ["1"])
        #expect(try await fetch(#"{"data":{"seen":[{"id":"2"},{"id":"1"}]}}"#, environment) == ["1", "2"])
        #expect(try await fetch(#"{"data":{"seen":[]}}"#, environment) == ["1", "2"])
        // A collection keeps the handler's copy like the response's own fields.
        let handle = environment.retain(Count(variables: .init(by: "me")))
        environment.collectGarbage()
        #expect(try environment.update { $0.get("2") != nil })
        withExtendedLifetime(handle) {}
    }

    @Test func anAnswerWithoutItsHandlerIsRefused() async throws {
        let environment = environment([])
        let error = await #expect(throws: RelayError.self) {
            try await fetch(#"{"data":{"seen":[{"id":"1"}]}}"#, environment)
        }
        guard case .invalidResponse(let reason)? = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.reason == .noHandler(name: "union", field: #"seen(by:"me",first:1)"#))
        #expect(reason.description.contains("'union'"))
        #expect(try environment.update { $0.get("1") == nil })
    }

    @Test func aHandlerThatThrowsKeepsTheAnswerOut() async throws {
        let failing = FieldHandler("union") { store, field in
            try store.root.setValue(1, forField: "half")
            throw Unreachable()
        }
        let environment = environment([failing, Self.union])
        let error = await #expect(throws: RelayError.self) {
            try await fetch(#"{"data":{"seen":[{"id":"1"}]}}"#, environment)
        }
        guard case .updater(let cause)? = error?.reason, cause is Unreachable else {
            Issue.record("\(String(describing: error))")
            return
        }
        try environment.update { store in
            #expect(store.get("1") == nil)
            #expect(store.root.value(forField: "half") == nil)
        }
    }
}
