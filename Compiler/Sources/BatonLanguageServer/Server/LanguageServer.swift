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
/// A request that needs a judgement is answered after `finish(_:)`; `answerWaiting()` answers those that were cancelled
/// since.
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
    /// The requests that wait for a judgement, in the order in which they came.
    var waiting: [WaitingRequest] = []
    /// The number of judgements that have begun so far, in all projects.
    var judgementCount = 0
    private var output: [JSONValue] = []
    private var requestCount = 0
    let version: String
    /// Whether the client has cancelled the request with this id. Whoever is told so answers the request.
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
        case .success(.notification(let method, let parameters)):
            notify(method, parameters)
            answerWaiting()
        case .success(.request(let id, let method, let parameters)):
            if phase == .running, let request = Self.requests[method] {
                take(request, RequestInput(id: id, parameters: parameters))
            } else {
                answer(id, result(method, parameters))
            }
        }
    }

    /// The answer to a request that asks nothing of a project.
    private mutating func result(_ method: String, _ parameters: JSONValue) -> Result<JSONValue, ResponseError> {
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
            refuseWaiting(.failed("the server was shut down")) { _ in true }
            phase = .shutDown
            wasShutDown = true
            return .success(.null)
        }
        return .failure(.unknownMethod(method))
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

    mutating func answer(_ id: JSONValue, _ result: Result<JSONValue, ResponseError>) {
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
