import BatonCompiler
import BatonProject

/// The requests by their methods.
extension LanguageServer {
    typealias Request = @Sendable (LanguageServer, RequestInput) throws(ResponseError) -> JSONValue

    static let requests: [String: Request] = [
        "baton/sentText": { server, input throws(ResponseError) in try SentText.text(server, input) },
        "textDocument/codeAction": { server, input throws(ResponseError) in try CodeActions.actions(server, input) },
        "textDocument/completion": { server, input throws(ResponseError) in try Completion.items(server, input) },
        "textDocument/definition": { server, input throws(ResponseError) in try Navigation.definition(server, input) },
        "textDocument/documentSymbol": { server, input throws(ResponseError) in try Symbols.document(server, input) },
        "textDocument/foldingRange": { server, input throws(ResponseError) in try Folding.ranges(server, input) },
        "textDocument/formatting": { server, input throws(ResponseError) in try Formatting.document(server, input) },
        "textDocument/hover": { server, input throws(ResponseError) in try Hover.text(server, input) },
        "textDocument/implementation": { server, input throws(ResponseError) in
            try Navigation.implementation(server, input)
        },
        "textDocument/prepareRename": { server, input throws(ResponseError) in try Rename.prepare(server, input) },
        "textDocument/rangeFormatting": { server, input throws(ResponseError) in try Formatting.range(server, input) },
        "textDocument/references": { server, input throws(ResponseError) in try Navigation.references(server, input) },
        "textDocument/rename": { server, input throws(ResponseError) in try Rename.perform(server, input) },
        "textDocument/semanticTokens/full": { server, input throws(ResponseError) in
            try SemanticTokens.full(server, input)
        },
        "workspace/symbol": { server, input throws(ResponseError) in try Symbols.workspace(server, input) },
    ]
}
