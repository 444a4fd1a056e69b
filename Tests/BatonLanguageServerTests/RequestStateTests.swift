import BatonCompiler
import BatonLanguageServer
import Testing

/// Every request that the server answers, asked at once after something has changed: the answer is that of a server
/// that was started after the change.
struct RequestStateTests {
    /// How a request is asked, and on what its answer depends.
    struct Row {
        enum Parameters {
            /// Asks at words of the documents.
            case places
            /// Renames words of the documents.
            case names
            case document
            case range
            case query
            case operation
        }

        /// The capability that announces the request.
        let capability: String
        let parameters: Parameters
        /// Whether the answer in a document depends on other documents, and whether on the schema.
        var readsDocuments = true
        var readsSchema = true
        /// Whether it is answered at once in a document whose text alone is not judged.
        var isQuick = false
    }

    /// A request of the server needs a row here.
    static let rows: [String: Row] = [
        "baton/sentText": Row(capability: "experimental.sentText", parameters: .operation),
        "textDocument/codeAction": Row(capability: "codeActionProvider", parameters: .range),
        "textDocument/completion": Row(capability: "completionProvider", parameters: .places, isQuick: true),
        "textDocument/definition": Row(capability: "definitionProvider", parameters: .places),
        "textDocument/documentSymbol": Row(
            capability: "documentSymbolProvider", parameters: .document, readsDocuments: false, readsSchema: false,
            isQuick: true),
        "textDocument/foldingRange": Row(
            capability: "foldingRangeProvider", parameters: .document, readsDocuments: false, readsSchema: false,
            isQuick: true),
        "textDocument/formatting": Row(
            capability: "documentFormattingProvider", parameters: .document, readsDocuments: false, readsSchema: false,
            isQuick: true),
        "textDocument/hover": Row(capability: "hoverProvider", parameters: .places, isQuick: true),
        "textDocument/implementation": Row(capability: "implementationProvider", parameters: .places),
        "textDocument/prepareRename": Row(
            capability: "renameProvider.prepareProvider", parameters: .places, readsDocuments: false, isQuick: true),
        "textDocument/rangeFormatting": Row(
            capability: "documentRangeFormattingProvider", parameters: .range, readsDocuments: false,
            readsSchema: false, isQuick: true),
        "textDocument/references": Row(capability: "referencesProvider", parameters: .places),
        "textDocument/rename": Row(capability: "renameProvider", parameters: .names),
        "textDocument/semanticTokens/full": Row(
            capability: "semanticTokensProvider.full", parameters: .document, readsDocuments: false, isQuick: true),
        "workspace/symbol": Row(capability: "workspaceSymbolProvider", parameters: .query),
    ]

    // MARK: - The project

    private static let own = "documents/BookList.graphql"
    private static let other = "documents/BookRow.graphql"
    private static let schema = "schema.graphql"
    private static let documents = [own, other, schema]

    private static let list = """
        query BookListQuery($genre: Genre) {
          books(genre: $genre) {
            id
            first: title
            ...BookRow_book @arguments(big: true)
            author { ...Author_person }
          }
          node(id: "1") { ...Own_node }
        }

        fragment Own_node on Node {
          id
        }

        """

    /// The files on disk, and the texts of the open documents.
    struct World {
        var disk = Library.files.merging([RequestStateTests.own: RequestStateTests.list]) { $1 }
        var open: [String: String] = [:]

        func text(_ name: String) -> String { open[name] ?? disk[name] ?? "" }
    }

    /// What changes, and how the client tells it.
    enum Change: String, CaseIterable {
        case firstOpened
        case ownChanged
        case otherOpened
        case otherChanged
        case otherClosed
        case otherWatched
        case otherSaved
        case schemaChanged
        case schemaWatched
        case configurationWatched
        case projectAdded

        var isOfDocument: Bool { rawValue.hasPrefix("other") }
        var isOfSchema: Bool { rawValue.hasPrefix("schema") || self == .configurationWatched }

        var before: World {
            var world = World()
            if self != .firstOpened { world.open[own] = list }
            switch self {
            case .otherChanged: world.open[other] = Library.row
            case .otherClosed:
                world.open[other] = RequestStateTests.row(isBroken: true)
                world.disk[other] = RequestStateTests.row(isBroken: false)
            case .schemaChanged: world.open[schema] = Library.schema
            case .projectAdded: world.disk["baton.json"] = nil
            default: break
            }
            return world
        }

        func after(isBroken: Bool) -> World {
            var world = before
            let row = RequestStateTests.row(isBroken: isBroken)
            let changed = RequestStateTests.schema(isBroken: isBroken)
            switch self {
            case .firstOpened: world.open[own] = list
            case .ownChanged:
                world.open[own] = list.replacing("first: title", with: isBroken ? "first: titel" : "last: isbn")
                    .replacing("Own_node", with: "Our_node")
            case .otherOpened, .otherChanged: world.open[other] = row
            case .otherClosed: world.open[other] = nil
            case .otherWatched, .otherSaved: world.disk[other] = row
            case .schemaChanged: world.open[schema] = changed
            case .schemaWatched: world.disk[schema] = changed
            case .configurationWatched:
                world.disk["other/schema.graphql"] = changed
                world.disk["baton.json"] = Library.configuration.replacing(schema, with: "other/schema.graphql")
            case .projectAdded: world.disk["baton.json"] = Library.configuration
            }
            return world
        }
    }

    private static func row(isBroken: Bool) -> String {
        if isBroken { return Library.row.replacing("BookRow_book", with: "BookRow_boo") }
        return """
            # This was moved.
            fragment BookRow_book on Node
            @argumentDefinitions(big: {type: "Boolean", defaultValue: false}, small: {type: "Int", defaultValue: 3}) {
              ... on Book { title(upper: $big) isbn reviews(first: $small) { text } author { ...Author_person } }
            }

            """
    }

    private static func schema(isBroken: Bool) -> String {
        let old = "  title(upper: Boolean): String\n"
        if isBroken { return Library.schema.replacing(old, with: "  titles(upper: Boolean): String\n") }
        return "# This was moved.\n"
            + Library.schema.replacing(old, with: "  year: Int\n" + old)
            .replacing("  author: Person\n", with: "  author: Person @deprecated(reason: \"ask\")\n")
    }

    // MARK: - Asking

    /// Edits without versions, which differ between the servers.
    private static let capabilities: JSONValue = [
        "textDocument": [
            "completion": ["completionItem": ["snippetSupport": true]],
            "documentSymbol": ["hierarchicalDocumentSymbolSupport": true],
            "hover": ["contentFormat": ["markdown"]],
        ]
    ]

    private struct Ask: Hashable {
        let method: String
        /// The document of the request; nil if it has none.
        let document: String?
        let parameters: JSONValue
    }

    /// All requests, each in each document.
    private static func asks(_ world: World, _ client: ScriptedClient) -> [Ask] {
        rows.sorted { $0.key < $1.key }.flatMap { method, row -> [Ask] in
            if case .query = row.parameters { return [Ask(method: method, document: nil, parameters: ["query": "Bo"])] }
            return documents.flatMap { name in
                let document: JSONValue = ["textDocument": ["uri": .string(client.uri(name))]]
                return asks(method, row, words(world.text(name)), document).map {
                    Ask(method: method, document: name, parameters: $0)
                }
            }
        }
    }

    /// The words at which requests are asked, of each kind some.
    private static let asked: Set = [
        "BookRow_boo", "BookRow_book", "Genre", "Node", "Our_node", "Own_node", "author", "big", "first", "title",
    ]

    private static func asks(
        _ method: String, _ row: Row, _ words: [(word: String, place: JSONValue)], _ document: JSONValue
    ) -> [JSONValue] {
        switch row.parameters {
        case .places: return words.map { document.with("position", $0.place) }
        case .names:
            return words.filter { ["BookRow_book", "title"].contains($0.word) }.map {
                document.with("position", $0.place).with("newName", "other")
            }
        case .document: return [document.with("options", [:])]
        case .range:
            let end: JSONValue = ["line": 1_000, "character": 0]
            return [
                document.with("range", ["start": ["line": 0, "character": 0], "end": end])
                    .with("options", [:]).with("context", ["diagnostics": []])
            ]
        case .operation: return [document.with("name", "BookListQuery")]
        case .query: return []
        }
    }

    /// The words of a text at which requests are asked, each where it stands first.
    private static func words(_ text: String) -> [(word: String, place: JSONValue)] {
        var known: Set<String> = []
        var result: [(word: String, place: JSONValue)] = []
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            for word in line.split(whereSeparator: { !$0.isLetter && $0 != "_" }) {
                guard asked.contains(String(word)), known.insert(String(word)).inserted else { continue }
                let character = line[..<word.startIndex].utf16.count
                result.append((String(word), ["line": .integer(number), "character": .integer(character)]))
            }
        }
        return result
    }

    /// The answer without what differs between servers for no reason: the id, and the order of completions.
    private static func comparable(_ answer: JSONValue?) -> String {
        guard let answer else { return "nothing" }
        if let error = answer["error"] { return error.text }
        guard let items = answer.at("result", "items")?.array else { return answer["result"]?.text ?? "nothing" }
        return items.map(\.text).sorted().joined(separator: "\n")
    }

    /// What a server answers that has been started in a world.
    private static func fresh(_ world: World, _ asks: [Ask], in folder: TestFolder) throws -> [Ask: String] {
        let client = try ScriptedClient(in: folder, capabilities: capabilities)
        for (name, text) in world.open { client.open(name, text) }
        _ = client.settleButRest()
        return try answers(asks, client)
    }

    private static func answers(_ asks: [Ask], _ client: ScriptedClient) throws -> [Ask: String] {
        var result: [Ask: String] = [:]
        for ask in asks { result[ask] = comparable(try client.answer(ask.method, ask.parameters)) }
        return result
    }

    /// Makes a world of another one, and tells the server.
    private static func tell(_ change: Change, _ after: World, _ client: ScriptedClient) throws {
        let before = change.before
        for (name, text) in after.disk where before.disk[name] != text { try client.folder.write(text, to: name) }
        for name in before.open.keys where after.open[name] == nil { client.close(name) }
        for (name, text) in after.open where before.open[name] != text {
            if before.open[name] == nil { client.open(name, text) } else { client.replace(name, text) }
        }
        if change == .otherSaved { return client.save(own) }
        let changed = after.disk.keys.filter { before.disk[$0] != after.disk[$0] }.sorted()
        if changed.isEmpty { return }
        let changes = changed.map { name -> JSONValue in ["uri": .string(client.uri(name)), "type": 2] }
        client.notify("workspace/didChangeWatchedFiles", ["changes": .array(changes)])
    }

    // MARK: - Tests

    @Test func everyRequestThatIsAnnouncedHasARow() throws {
        #expect(Set(Self.rows.keys) == LanguageServer.requestMethods)
        let client = try ScriptedClient(Library.files)
        guard case .object(let members) = client.announced else {
            Issue.record("nothing is announced")
            return
        }
        var announced: Set<String> = []
        for member in members where !["positionEncoding", "textDocumentSync", "workspace"].contains(member.key) {
            guard case .object(let options) = member.value else {
                announced.insert(member.key)
                continue
            }
            if member.key != "semanticTokensProvider", member.key != "experimental" { announced.insert(member.key) }
            for option in options where option.value.boolean == true {
                announced.insert("\(member.key).\(option.key)")
            }
        }
        #expect(announced == Set(Self.rows.values.map(\.capability)))
    }

    private static let times: [(Change, isUnderWay: Bool)] =
        Change.allCases.map { ($0, false) }
        + [Change.ownChanged, .otherChanged, .schemaWatched, .projectAdded].map { ($0, true) }

    @Test(arguments: times)
    func theAnswerIsOfTheStateInWhichItWasAsked(_ change: Change, isUnderWay: Bool) throws {
        var differing: Set<String> = []
        for isBroken in isUnderWay ? [false] : change.isOfDocument || change.isOfSchema ? [false, true] : [true] {
            let (before, after) = (change.before, change.after(isBroken: isBroken))
            let client = try ScriptedClient(
                in: TestFolder(before.disk), capabilities: Self.capabilities, isSettled: false)
            let asks = Self.asks(after, client)
            let own = asks.filter { $0.document == Self.own || $0.document == nil }
            let known = isUnderWay ? [:] : try Self.fresh(before, own, in: client.folder)
            for (name, text) in before.open { client.open(name, text) }
            var job: JudgeJob?
            if isUnderWay {
                // The first judgement is under way.
                job = client.nextJob()
            } else if change != .firstOpened {
                client.settle()
            }
            try Self.tell(change, after, client)
            let begun = asks.map { ($0, client.begin($0.method, $0.parameters)) }
            if let job { client.finish(job) }
            while begun.contains(where: { client.answer(to: $0.1) == nil }), let job = client.nextJob() {
                client.finish(job)
            }
            let expected = try Self.fresh(after, asks, in: client.folder)
            for (ask, id) in begun {
                let answer = Self.comparable(client.answer(to: id))
                let position = ask.parameters["position"]?.text ?? ""
                #expect(
                    answer == expected[ask],
                    "\(ask.method) in \(ask.document ?? "the workspace") at \(position), broken: \(isBroken)")
            }
            for ask in own where known[ask] != expected[ask] { differing.insert(ask.method) }
        }
        if isUnderWay { return }
        // The change matters for the requests that read what has changed.
        for (method, row) in Self.rows where change.isOfDocument && row.readsDocuments {
            #expect(differing.contains(method), "\(method) does not see the other document")
        }
        for (method, row) in Self.rows where change.isOfSchema && row.readsSchema {
            #expect(differing.contains(method), "\(method) does not see the schema")
        }
    }

    /// Waiting for a judgement of each letter would make completions slow.
    @Test func nothingThatEditorsAskForEachLetterWaitsForItsOwnText() throws {
        let change = Change.ownChanged
        let client = try ScriptedClient(in: TestFolder(change.before.disk), capabilities: Self.capabilities)
        client.open(Self.own, "# before\n" + Self.list)
        let job = try #require(client.nextJob())
        client.replace(Self.own, Self.list)
        for ask in Self.asks(change.before, client) where ask.document == Self.own {
            let id = client.begin(ask.method, ask.parameters)
            let isQuick = Self.rows[ask.method]?.isQuick == true
            #expect((client.answer(to: id) != nil) == isQuick, "\(ask.method)")
        }
        client.finish(job)
    }

    /// The text of a part of the schema is not only read by the request.
    @Test func aRequestInTheSchemaWaitsForItsText() throws {
        let client = try ScriptedClient(in: TestFolder(World().disk), capabilities: Self.capabilities)
        client.open(Self.schema, "# unsaved\n" + Library.schema)
        let place = client.replace(Self.schema, Library.schema.replacing("isbn", with: "num<|>ber"))
        let hover = try client.ask("textDocument/hover", Self.schema, place)
        #expect(hover.at("contents", "value")?.string?.contains("Book.number") == true)
    }

    @Test func aFragmentThatMovesToAnotherFileIsFoundThere() throws {
        var world = World()
        world.disk["documents/ZNode.graphql"] = "fragment Own_node on Book { id }\n"
        let client = try ScriptedClient(in: TestFolder(world.disk), capabilities: Self.capabilities)
        client.open(Self.own, Self.list)
        client.settle()
        let place = client.replace(Self.own, "query BookListQuery { books { ...Own<|>_node } }\n")
        let hover = try client.ask("textDocument/hover", Self.own, place)
        #expect(hover.at("contents", "value")?.string?.contains("Own_node on Book") == true)
    }

    @Test func everyRequestCanBeCancelled() throws {
        let change = Change.firstOpened
        let client = try ScriptedClient(
            in: TestFolder(change.before.disk), capabilities: Self.capabilities, isSettled: false)
        client.open(Self.own, Self.list)
        for ask in Self.asks(change.after(isBroken: false), client) where ask.document != Self.other {
            let early = client.beginCancelled(ask.method, ask.parameters)
            #expect(client.answer(to: early)?.at("error", "code") == -32800, "\(ask.method)")
            let waiting = client.begin(ask.method, ask.parameters)
            if client.answer(to: waiting) != nil { continue }
            client.cancel(waiting)
            #expect(client.answer(to: waiting)?.at("error", "code") == -32800, "\(ask.method)")
        }
        #expect(!client.server.hasWaiting)
    }
}
