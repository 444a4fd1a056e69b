import BatonCompiler
import BatonLanguageServer
import Testing

/// A client in the process of the server: it sends messages, carries out the server's jobs, and keeps what it is told.
///
/// A place in a document is written as `<|>` in its text.
final class ScriptedClient {
    let folder: TestFolder
    private(set) var server: LanguageServer
    /// The capabilities that the server announces.
    private(set) var announced: JSONValue = .null
    private let cancelled = CancelledRequests()
    /// The messages of the server that answer no request, in order.
    private(set) var told: [JSONValue] = []
    private var answers: [JSONValue: JSONValue] = [:]
    private var texts: [String: String] = [:]
    private var requestCount = 0

    static let capabilities: JSONValue = [
        "textDocument": [
            "completion": ["completionItem": ["snippetSupport": true]],
            "documentSymbol": ["hierarchicalDocumentSymbolSupport": true],
            "hover": ["contentFormat": ["markdown"]],
        ],
        "workspace": [
            "workspaceEdit": ["documentChanges": true], "didChangeWatchedFiles": ["dynamicRegistration": true],
        ],
        "window": ["workDoneProgress": true],
    ]

    /// The requests that the client has cancelled, and to which no answer has said so yet.
    private final class CancelledRequests {
        var ids: Set<JSONValue> = []
    }

    /// Starts a server over a folder with files, and waits for its first judgement if `isSettled`.
    convenience init(
        _ files: [String: String], capabilities: JSONValue = ScriptedClient.capabilities, folders: [String] = ["."],
        isSettled: Bool = true
    ) throws {
        try self.init(
            in: TestFolder(files), capabilities: capabilities, folders: folders, isSettled: isSettled)
    }

    init(in folder: TestFolder, capabilities: JSONValue, folders: [String] = ["."], isSettled: Bool = true) throws {
        self.folder = folder
        server = LanguageServer(version: "test") { [cancelled] id in cancelled.ids.remove(id) != nil }
        let folders = folders.map { name -> JSONValue in ["uri": .string(uri(name)), "name": .string(name)] }
        let result = try request("initialize", ["capabilities": capabilities, "workspaceFolders": .array(folders)])
        announced = result["capabilities"] ?? .null
        notify("initialized", [:])
        if isSettled { settle() }
    }

    func uri(_ name: String) -> String { DocumentURI(folder.file(name)).text }

    // MARK: - Messages

    func send(_ message: JSONValue) {
        server.handle(Message.read(Array(message.text.utf8)))
        receive()
    }

    private func receive() {
        for message in server.takeOutput() {
            if let id = message["id"], message["method"] == nil { answers[id] = message } else { told.append(message) }
        }
    }

    func notify(_ method: String, _ parameters: JSONValue) {
        send(["jsonrpc": "2.0", "method": .string(method), "params": parameters])
    }

    /// Sends a request. Returns its id.
    func begin(_ method: String, _ parameters: JSONValue) -> JSONValue {
        requestCount += 1
        let id = JSONValue.integer(requestCount)
        send(["jsonrpc": "2.0", "id": id, "method": .string(method), "params": parameters])
        return id
    }

    /// Sends a request that is cancelled before the server has seen it.
    func beginCancelled(_ method: String, _ parameters: JSONValue) -> JSONValue {
        cancelled.ids.insert(.integer(requestCount + 1))
        return begin(method, parameters)
    }

    func cancel(_ id: JSONValue) {
        cancelled.ids.insert(id)
        server.answerWaiting()
        receive()
    }

    /// The answer to a request; nil as long as there is none.
    func answer(to id: JSONValue) -> JSONValue? { answers[id] }

    /// The whole answer to a request, after the judgements for which it waits.
    func answer(_ method: String, _ parameters: JSONValue) throws -> JSONValue {
        let id = begin(method, parameters)
        while answers[id] == nil, let job = server.nextJob() { finish(job) }
        return try #require(answers[id])
    }

    func request(_ method: String, _ parameters: JSONValue) throws -> JSONValue {
        let answer = try answer(method, parameters)
        return try #require(answer["result"], "\(answer.text)")
    }

    /// Carries out all judgements.
    func settle() {
        while let job = server.nextJob() ?? server.nextRest() {
            receive()
            server.finish(job.run())
            receive()
        }
    }

    /// The next judgement, which the caller carries out.
    func nextJob() -> JudgeJob? {
        defer { receive() }
        return server.nextJob()
    }

    /// Carries out all judgements but the rest of the last one, which is returned.
    func settleButRest() -> JudgeJob? {
        while let job = server.nextJob() {
            server.finish(job.run())
            receive()
        }
        return server.nextRest()
    }

    func finish(_ job: JudgeJob) {
        server.finish(job.run())
        receive()
    }

    // MARK: - Documents

    /// Opens a document. Returns the place of `<|>` in it.
    @discardableResult func open(_ name: String, _ marked: String) -> JSONValue {
        let (text, place) = Self.unmarked(marked)
        texts[name] = text
        notify(
            "textDocument/didOpen",
            ["textDocument": ["uri": .string(uri(name)), "languageId": "graphql", "version": 1, "text": .string(text)]])
        return place
    }

    /// Replaces the whole text of an open document.
    @discardableResult func replace(_ name: String, _ marked: String) -> JSONValue {
        let (text, place) = Self.unmarked(marked)
        texts[name] = text
        notify(
            "textDocument/didChange",
            [
                "textDocument": ["uri": .string(uri(name)), "version": 2], "contentChanges": [["text": .string(text)]],
            ])
        return place
    }

    func change(_ name: String, from start: (Int, Int), to end: (Int, Int), _ text: String) {
        func position(_ place: (Int, Int)) -> JSONValue {
            ["line": .integer(place.0), "character": .integer(place.1)]
        }
        notify(
            "textDocument/didChange",
            [
                "textDocument": ["uri": .string(uri(name)), "version": 3],
                "contentChanges": [
                    ["range": ["start": position(start), "end": position(end)], "text": .string(text)]
                ],
            ])
    }

    func save(_ name: String) { notify("textDocument/didSave", ["textDocument": ["uri": .string(uri(name))]]) }
    func close(_ name: String) { notify("textDocument/didClose", ["textDocument": ["uri": .string(uri(name))]]) }

    static func unmarked(_ text: String) -> (text: String, place: JSONValue) {
        guard let range = text.firstRange(of: "<|>") else { return (text, .null) }
        let before = String(text[..<range.lowerBound])
        let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
        return (
            before + String(text[range.upperBound...]),
            ["line": .integer(lines.count - 1), "character": .integer(lines.last?.utf16.count ?? 0)]
        )
    }

    // MARK: - Requests at places

    /// The result of a request at a place of a document.
    func ask(_ method: String, _ name: String, _ place: JSONValue, _ more: (String, JSONValue)...) throws -> JSONValue {
        var parameters: JSONValue = ["textDocument": ["uri": .string(uri(name))], "position": place]
        for (key, value) in more { parameters = parameters.with(key, value) }
        return try request(method, parameters)
    }

    /// The labels that are proposed at the mark of a text.
    func completions(_ name: String, _ marked: String) throws -> [String] {
        let place = texts[name] == nil ? open(name, marked) : replace(name, marked)
        settle()
        let items = try ask("textDocument/completion", name, place)["items"]?.array ?? []
        return items.sorted { ($0["sortText"]?.string ?? "") < ($1["sortText"]?.string ?? "") }
            .compactMap { $0["label"]?.string }
    }

    /// The diagnostics that the client was told last about a file.
    func diagnostics(_ name: String) -> [JSONValue] {
        let last = told.last {
            $0["method"]?.string == "textDocument/publishDiagnostics"
                && $0.at("params", "uri")?.string == uri(name)
        }
        return last?.at("params", "diagnostics")?.array ?? []
    }

    func messages(_ name: String) -> [String] { diagnostics(name).compactMap { $0["message"]?.string } }

    /// A location as `file:line:character`.
    func brief(_ location: JSONValue?) -> String {
        let start = location?.at("range", "start")
        let path = location?["uri"]?.string.flatMap { DocumentURI($0).path }
        let name = path?.relative(to: folder.path) ?? "?"
        return "\(name):\(start?["line"]?.integer ?? -1):\(start?["character"]?.integer ?? -1)"
    }
}
