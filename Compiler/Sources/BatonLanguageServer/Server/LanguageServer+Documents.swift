import BatonCompiler
import BatonProject

/// The documents that the client has open.
extension LanguageServer {
    mutating func open(_ parameters: JSONValue) {
        guard let document = parameters["textDocument"], let uri = document["uri"]?.string,
            let text = document["text"]?.string
        else { return }
        var opened = OpenDocument(uri: DocumentURI(uri), version: document["version"]?.integer, text: text)
        tellIfLarge(&opened)
        refuseWaiting(in: opened.uri)
        documents[opened.uri] = opened
        revision += 1
        guard let path = opened.path else { return }
        if let configuration = Configuration.nearest(to: path.parent) { addProject(configuration) }
        textChanged(path, from: nil, to: opened.bytes)
        // The client may still show diagnostics of an earlier server, and knows the document by this address.
        if let known = published[path], !known.isEmpty { sendDiagnostics(known, of: path) }
    }

    mutating func change(_ parameters: JSONValue) {
        guard let document = parameters["textDocument"], let uri = document["uri"]?.string,
            var opened = documents.removeValue(forKey: DocumentURI(uri))
        else { return }
        let before = opened.bytes
        refuseWaiting(in: opened.uri)
        revision += 1
        let isWhole = opened.apply(
            parameters["contentChanges"]?.array ?? [], version: document["version"]?.integer)
        tellIfLarge(&opened)
        documents[opened.uri] = opened
        if !isWhole {
            sendNotification(
                "window/logMessage", ["type": 1, "message": "a change of a document cannot be understood"])
        }
        if let path = opened.path { textChanged(path, from: before, to: opened.bytes) }
    }

    /// Tells the client once what is not answered for a large document.
    private mutating func tellIfLarge(_ document: inout OpenDocument) {
        guard document.lines.isLarge, !document.isToldLarge else { return }
        document.isToldLarge = true
        let name = document.path?.name ?? document.uri.text
        sendNotification(
            "window/showMessage",
            [
                "type": 2,
                "message": .string(
                    "'\(name)' is larger than 1 MB, and has no symbols, semantic tokens and folding from baton"),
            ])
    }

    mutating func save(_ parameters: JSONValue) {
        guard let uri = parameters.at("textDocument", "uri")?.string, let path = DocumentURI(uri).path else { return }
        if let configuration = Configuration.nearest(to: path.parent) { addProject(configuration) }
        lookForFiles(around: path)
    }

    mutating func close(_ parameters: JSONValue) {
        guard let uri = parameters.at("textDocument", "uri")?.string,
            let closed = documents.removeValue(forKey: DocumentURI(uri))
        else { return }
        refuseWaiting(in: closed.uri)
        guard let path = closed.path else { return }
        revision += 1
        lookForFiles(around: path)
    }

    /// Marks the projects that read a file as stale, so that they are judged again.
    private mutating func textChanged(_ path: AbsolutePath, from before: [UInt8]?, to bytes: [UInt8]) {
        if before == bytes { return }
        for (configuration, project) in projects where project.reads(path) {
            if before == nil, project.view.bytes(of: path) == bytes { continue }
            projects[configuration]?.changes.texts.insert(path)
        }
    }

    /// The texts of all open documents, by their files.
    var overlays: [AbsolutePath: [UInt8]] {
        var result: [AbsolutePath: [UInt8]] = [:]
        for document in documents.values { if let path = document.path { result[path] = document.bytes } }
        return result
    }

    func openDocument(at path: AbsolutePath) -> OpenDocument? {
        documents[DocumentURI(path)] ?? documents.values.first { $0.path == path }
    }
}
