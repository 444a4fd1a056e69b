import Baton
import BatonTesting
import Foundation
import Testing

// Each piece of code between `// in GUIDE` and `// end` stands in that guide too, so what the guide shows is compiled.

// in BindingAQuery.md
final class FilmCard {
    let film: FragmentHandle<FilmRow_film>

    init(in environment: RelayEnvironment) { film = FragmentHandle(nil, in: environment) }

    /// Called with the reference of the parent, as often as the parent likes: an equal one changes nothing.
    func show(_ reference: FragmentReference<FilmRow_film>?) { film.show(reference) }

    func line() -> String { film.get().data?.title ?? "..." }
}
// end

// in BindingAQuery.md
final class Shelf {
    private let query: QueryHandle<LibraryShelfQuery>
    private let list: FragmentHandle<LibraryShelf_query>

    init(in environment: RelayEnvironment) {
        query = QueryHandle(in: environment)
        list = FragmentHandle(nil, in: environment)
    }

    /// Called in every frame.
    func titles() -> [String] {
        list.show(query.get().data?.fragments.libraryShelf_query)
        return list.get().data?.library.books?.nodes.compactMap(\.title) ?? []
    }

    func more() { if list.hasNext { list.loadNext(20) } }
}
// end

// in ChangingTheStore.md
actor Outbox {
    struct Draft {
        let id: Int
        let text: String
        var error: RelayError?
    }

    private(set) var drafts: [Draft] = []
    private let add: MutationHandle<LibraryAppendEdgeMutation>
    private let list: DataID

    init(in environment: RelayEnvironment, list: DataID) {
        add = MutationHandle(in: environment)
        self.list = list
    }

    func send(_ text: String) async {
        let draft = Draft(id: (drafts.last?.id ?? 0) + 1, text: text)
        drafts.append(draft)
        await send(draft.id)
    }

    /// Sends a draft, or sends it again.
    func send(_ id: Int) async {
        guard let index = drafts.firstIndex(where: { $0.id == id }) else { return }
        drafts[index].error = nil
        let error: RelayError?
        do {
            let response = try await add.commit(titles: [drafts[index].text], connections: [list.rawValue])
            error = response.result.error
        } catch let failure {
            error = failure
        }
        // Other drafts may have come and gone meanwhile.
        guard let index = drafts.firstIndex(where: { $0.id == id }) else { return }
        if error == nil { drafts.remove(at: index) } else { drafts[index].error = error }
    }
}
// end

private func examples(_ environment: RelayEnvironment, _ error: GraphQLError, _ network: MockNetwork) async throws {
    // in Subscribing.md
    try environment.publish(.data(["reviewAdded": ["stars": 5]]), for: ReviewAddedSubscription())
    // end
    // in Subscribing.md
    let request = try await network.nextRequest()
    request.respond(data: ["reviewAdded": ["stars": 5]], hasNext: true)  // an event
    await settle(environment)  // the components have it
    request.respond(data: ["reviewAdded": ["stars": 4]])  // the last one
    // end
    // in HandlingFieldErrors.md
    let limit = error.extensions?["rate"]?["limit"]?.intValue ?? 100
    let reasons = error.extensions?["reasons"]?.arrayValue?.compactMap(\.stringValue) ?? []
    // end
    _ = (limit, reasons)
}

private func tellApart(
    _ delete: MutationHandle<LibraryDeleteRecordMutation>, offerToTryAgain: () -> Void, showLogin: () -> Void,
    show: (String) -> Void
) async {
    // in HandlingFieldErrors.md
    do throws(RelayError) {
        try await delete.commit(ids: ["1"])
    } catch let error where error.kind == .network {
        offerToTryAgain()
    } catch let error where error.status == 403 {
        showLogin()
    } catch {
        show("\(error)")  // what happened, and what to do about it
    }
    // end
}

@Suite struct GuideSnippetTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    private static func lines(_ text: some StringProtocol) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// The files with pieces of guides, and how many each has.
    private static let files = [
        "GuideSnippetTests.swift": 8, "Guides/ComingFromSnippets.swift": 9, "Guides/RecipeSnippets.swift": 11,
    ]

    @Test(arguments: files) func eachSnippetStandsInItsGuide(file: String, pieces: Int) throws {
        let source = Self.lines(try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8))
        let guides = Self.folder.appending(path: "../../Sources/Baton/Baton.docc")
        var count = 0
        for (index, line) in source.enumerated() where line.hasPrefix("// in ") {
            let end = try #require(source[index...].firstIndex(of: "// end"))
            let name = String(line.dropFirst("// in ".count))
            let guide = Self.lines(try String(contentsOf: guides.appending(path: name), encoding: .utf8))
            let piece = Array(source[(index + 1)..<end])
            #expect(guide.contains(piece), "\(name) lacks \(source[index + 1])")
            count += 1
        }
        #expect(count == pieces)
    }

    /// An environment with a network that the test answers.
    private let network = MockNetwork()
    private func environment() -> RelayEnvironment { RelayEnvironment(network: network) }

    @Test func aShelfShowsItsPages() async throws {
        let environment = environment()
        let shelf = Shelf(in: environment)
        #expect(shelf.titles() == [])
        let edges: JSONValue = [["cursor": "1", "node": ["id": "b1", "title": "One"]]]
        let page: JSONValue = ["edges": edges, "pageInfo": ["endCursor": "1", "hasNextPage": true]]
        // The answer has more of the library than this component shows.
        try await network.nextRequest().respond(
            body: JSONValue.object([.init("data", ["library": ["books": page], "all": ["both": nil]])]).text)
        await settle(environment)
        #expect(shelf.titles() == ["One"])
        shelf.more()
        await settle(environment)
        #expect(network.pending.count == 1)
    }

    @Test func aDraftThatFailedStaysAndIsSentAgain() async throws {
        let environment = environment()
        let outbox = Outbox(in: environment, list: .connection(on: .root, key: "LibraryShelf_books"))
        let first = Task { await outbox.send("hello") }
        try await network.nextRequest().fail(RelayError.noResponse)
        await first.value
        #expect(await outbox.drafts.map(\.error) == [.noResponse])
        let second = Task { await outbox.send(1) }
        try await network.nextRequest().respond(errors: [["message": "no"]])
        await second.value
        #expect(await outbox.drafts.first?.error != nil)
        let third = Task { await outbox.send(1) }
        try await network.nextRequest().respond(data: ["addBooks": nil])
        await third.value
        #expect(await outbox.drafts.isEmpty)
    }

    @Test func aNewBookIsThereBeforeTheAnswerAndGoesIfThereIsNone() async throws {
        let schema = try String(contentsOf: Self.folder.appending(path: "Schema/schema.graphql"), encoding: .utf8)
        let world = try World(schema: schema)
        try world.override(["Library.books": [["title": "Dawn"], ["title": "Dusk"]]])
        let mock = MockEnvironment(world: world)
        let tester = ComponentTester(mock)
        try mock.load(LibraryPageQuery(count: 3))
        let connection = try mock.environment.update { store in
            let library = try #require(store.root.linkedRecord(forField: "library"))
            return store.connectionID(on: library, key: "Library_books", filters: ["topic": "a"])
        }
        // in TestingAComponent.md
        let books = QueryHandle<LibraryPageQuery>(in: mock.environment, fetchPolicy: .storeOnly)
        let list = tester.render { books.get(count: 3).data?.library.books?.nodes.compactMap(\.title) ?? [] }
        let adding = Task { try await NewBooks(in: mock.environment).add("Hope", to: connection) }
        try await mock.waitForRequest(of: LibraryAppendEdgeMutation.self)
        await tester.update()
        #expect(list.frame == ["Dawn", "Dusk", "Hope"])

        try await mock.reject(LibraryAppendEdgeMutation.self, RelayError.noResponse)
        await #expect(throws: RelayError.noResponse) { try await adding.value }
        await tester.update()
        #expect(list.frame == ["Dawn", "Dusk"])
        // end
        #expect(mock.leftovers == [])
    }

    @Test func aCardShowsItsFilmOnceItHasAReference() async throws {
        let environment = environment()
        let card = FilmCard(in: environment)
        #expect(card.line() == "...")
        card.show(nil)
        #expect(card.line() == "...")
    }
}
