import Baton
import Synchronization
import Testing

@testable import BatonTesting

/// What a `MockNetwork` says of a test. The lines are not written.
@Suite struct MockNoteTests {
    private let network = MockNetwork()
    private static let drop: @Sendable (String) -> Void = { _ in }

    private func answer(_ data: JSONValue) async throws {
        let environment = RelayEnvironment(network: network, log: { _ in })
        async let answered = environment.fetch(TotalQuery())
        let request = try await network.nextRequest()
        KitNote.$take.withValue(Self.drop) { request.respond(data: data) }
        _ = try await answered
    }

    @Test func anAnswerThatIsWholeIsNoMistake() async throws {
        try await answer(["total": 3])
        try await answer(["total": nil])
        try await answer(["__typename": "Query", "total": nil])
        try await answer(nil)
        #expect(network.notes.isEmpty)
    }

    #if DEBUG
        @Test func anAnswerThatLacksAFieldIsToldOnce() async throws {
            for _ in 0..<2 { try await answer([:]) }
            let note = try #require(network.notes.first)
            #expect(network.notes.count == 1)
            #expect(note.hasPrefix("the test's answer to the query 'Total' lacks 'total', which is selected"))
        }

        @Test func anAnswerWithAnotherFieldIsTold() async throws {
            try await answer(["total": 3, "year": 1977])
            #expect(network.notes.first?.contains("'Total' has 'year', which is not selected") == true)
        }

        @Test func aRequestThatNobodyLookedAtIsTold() async throws {
            let environment = RelayEnvironment(network: network, log: { _ in })
            let total = QueryHandle<TotalQuery>(in: environment)
            _ = total.get()
            await settle(environment)
            #expect(network.unseen.map(\.operationName) == ["Total"])
            #expect(network.pending.count == 1 && network.unseen.isEmpty)
        }

        @Test func aRequestThatNobodyLookedAtIsWrittenAtTheEndOfItsNetwork() async throws {
            let notes = Notes()
            await KitNote.$take.withValue(notes.add) {
                for isSeen in [true, false] {
                    let network = MockNetwork()
                    let environment = RelayEnvironment(network: network, log: { _ in })
                    let total = QueryHandle<TotalQuery>(in: environment)
                    _ = total.get()
                    await settle(environment)
                    if isSeen { #expect(network.pending.count == 1) }
                }
                // The request ends after its handle.
                while notes.all.isEmpty { await Task.yield() }
            }
            #expect(notes.all.count == 1)
            let note = try #require(notes.all.first)
            #expect(note.hasPrefix("the query 'Total', request "))
            #expect(note.contains(", was neither answered nor looked at until the end of its MockNetwork: answer it"))
        }
    #endif

    @Test func anAnswerThatIsWrongOnPurposeIsNotTold() async throws {
        let environment = RelayEnvironment(network: network, log: { _ in })
        async let answered = environment.fetch(TotalQuery())
        try await network.nextRequest().respond(body: #"{"data":{}}"#)
        _ = try await answered
        #expect(network.notes.isEmpty)
    }

    /// The plan says what an object must have.
    @Test func onlyWhatIsCertainlySelectedMayBeMissing() throws {
        let artifact = GeneratedCode.OperationArtifact(
            name: "Films", kind: .query, text: "",
            normalization:
                "(some){films:[*Item]{id:ID! title:String [some]year:Int <Film>{stars:Int} <Book>{more:Int}} node:*Node{id:ID!}}",
            reader: "{}")
        let whole: JSONValue = ["films": [["id": "1", "title": nil], nil], "node": nil]
        #expect(artifact.differences(of: whole) == [])
        let typed: JSONValue = ["films": [["__typename": "Film", "id": "1"]], "node": [:]]
        #expect(
            artifact.differences(of: typed).map { $0.prefix { $0 != "," } } == [
                "lacks 'films.title'", "lacks 'films.stars'", "lacks 'node.id'",
            ])
    }
}

/// The notes of the kit in a test that provokes them.
final class Notes: Sendable {
    private let texts = Mutex<[String]>([])

    var all: [String] { texts.withLock { $0 } }
    func add(_ text: String) { texts.withLock { $0.append(text) } }
}
