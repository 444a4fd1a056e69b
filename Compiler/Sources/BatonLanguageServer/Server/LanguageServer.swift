import BatonCompiler
import BatonDiagnostics
import BatonProject

/// The language server without threads and streams. Messages go in and come out, and the owner decides when to carry
/// out the jobs that judge projects.
///
///     handle(_:)    takes a message
///     nextJob()     the next judgement to carry out; `finish(_:)` takes what it found
///     takeOutput()  the messages to send
///
/// One owner uses a server. The page "The language server" says which part answers which request.
package struct LanguageServer {
    enum Phase {
        case new
        case running
        case shutDown
        case ended
    }

    var phase = Phase.new
    var client = ClientCapabilities()
    var documents: [DocumentURI: OpenDocument] = [:]
    /// The number of changes that open documents have had so far.
    var revision = 0
    var projects: [AbsolutePath: ServedProject] = [:]
    var folders: [AbsolutePath] = []
    /// The diagnostics that were sent to the client last, by file.
    var published: [AbsolutePath: [JSONValue]] = [:]
    private var output: [JSONValue] = []
    private var requestCount = 0
    let version: String
    /// Whether the client has cancelled the request with this id.
    let isCancelled: (JSONValue) -> Bool

    package init(version: String, isCancelled: @escaping (JSONValue) -> Bool = { _ in false }) {
        self.version = version
        self.isCancelled = isCancelled
    }

    /// The status with which the process ends; nil until the client has ended the server.
    package var exitStatus: Int32? {
        guard phase == .ended else { return nil }
        return wasShutDown ? 0 : 1
    }

    private var wasShutDown = false

    /// The messages to send, in order.
    package mutating func takeOutput() -> [JSONValue] {
        defer { output = [] }
        return output
    }

    // MARK: - Messages

    /// Handles a message, or the refusal of bytes that are no message.
    package mutating func handle(_ message: Result<Message, Message.Refusal>) {
        switch message {
        case .failure(let refusal): answer(refusal.id, .failure(refusal.error))
        case .success(.response(let id)): takeResponse(id)
        case .success(.notification(let method, let parameters)): notify(method, parameters)
        case .success(.request(let id, let method, let parameters)):
            answer(id, result(id, method, parameters))
        }
    }

    private mutating func result(
        _ id: JSONValue, _ method: String, _ parameters: JSONValue
    ) -> Result<JSONValue, ResponseError> {
        if method == "initialize" {
            guard phase == .new else { return .failure(.invalidRequest("the server is initialized already")) }
            return .success(initialize(parameters))
        }
        switch phase {
        case .new: return .failure(.notInitialized)
        case .shutDown, .ended: return .failure(.invalidRequest("the server was shut down"))
        case .running: break
        }
        if method == "shutdown" {
            phase = .shutDown
            wasShutDown = true
            return .success(.null)
        }
        guard let request = Self.requests[method] else { return .failure(.unknownMethod(method)) }
        if isCancelled(id) { return .failure(.cancelled) }
        do throws(ResponseError) {
            return .success(try request(self, RequestInput(id: id, parameters: parameters)))
        } catch {
            return .failure(error)
        }
    }

    private mutating func notify(_ method: String, _ parameters: JSONValue) {
        if method == "exit" {
            phase = .ended
            return
        }
        guard phase == .running else { return }
        switch method {
        case "initialized": if client.watchesFiles { watchFiles() }
        case "textDocument/didOpen": open(parameters)
        case "textDocument/didChange": change(parameters)
        case "textDocument/didSave": save(parameters)
        case "textDocument/didClose": close(parameters)
        case "workspace/didChangeWatchedFiles": filesChanged(parameters)
        case "workspace/didChangeWorkspaceFolders": foldersChanged(parameters)
        default: break
        }
    }

    // MARK: - Sending

    private mutating func answer(_ id: JSONValue, _ result: Result<JSONValue, ResponseError>) {
        switch result {
        case .success(let value): send(["jsonrpc": "2.0", "id": id, "result": value])
        case .failure(let error):
            send([
                "jsonrpc": "2.0", "id": id,
                "error": ["code": .integer(error.code), "message": .string(error.message)],
            ])
        }
    }

    mutating func send(_ message: JSONValue) { output.append(message) }

    mutating func sendNotification(_ method: String, _ parameters: JSONValue) {
        send(["jsonrpc": "2.0", "method": .string(method), "params": parameters])
    }

    mutating func sendRequest(_ id: String, _ method: String, _ parameters: JSONValue) {
        send(["jsonrpc": "2.0", "id": .string(id), "method": .string(method), "params": parameters])
    }
}
