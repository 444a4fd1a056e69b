import BatonCompiler

/// The capabilities of a client on which the server depends.
package struct ClientCapabilities: Hashable, Sendable {
    package var hasSnippets = false
    package var hasProgress = false
    package var watchesFiles = false
    package var hasDocumentChanges = false
    package var hasConfirmation = false
    package var hasSymbolTrees = false
    package var hasMarkdown = false

    package init() {}

    init(_ json: JSONValue?) {
        let document = json?["textDocument"]
        hasSnippets =
            document?.at("completion", "completionItem", "snippetSupport")?.boolean ?? false
        hasSymbolTrees = document?.at("documentSymbol", "hierarchicalDocumentSymbolSupport")?.boolean ?? false
        let formats = document?.at("hover", "contentFormat")?.array ?? []
        hasMarkdown = formats.isEmpty || formats.contains("markdown")
        let workspace = json?["workspace"]
        watchesFiles = workspace?.at("didChangeWatchedFiles", "dynamicRegistration")?.boolean ?? false
        hasDocumentChanges = workspace?.at("workspaceEdit", "documentChanges")?.boolean ?? false
        hasConfirmation = hasDocumentChanges && workspace?.at("workspaceEdit", "changeAnnotationSupport") != nil
        hasProgress = json?.at("window", "workDoneProgress")?.boolean ?? false
    }
}
