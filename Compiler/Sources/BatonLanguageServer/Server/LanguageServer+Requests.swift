import BatonCompiler
import BatonProject

/// The requests by their methods, each with the judgements without which its answer would be wrong.
extension LanguageServer {
    struct Request: Sendable {
        typealias Body = @Sendable (LanguageServer, RequestInput) throws(ResponseError) -> JSONValue

        let need: Need
        let body: Body

        init(_ need: Need, _ body: @escaping Body) {
            self.need = need
            self.body = body
        }
    }

    /// What must have been judged before a request is answered.
    enum Need {
        /// Nothing: the answer comes from the document alone.
        case text
        /// All that the client has told so far, but the text of the document. The answer comes from that text as it is,
        /// from the schema, and from other documents.
        case otherTexts
        /// All that the client has told so far. The answer comes from the judgement of all documents.
        case thisState
    }

    /// The methods of the requests that ask something of a document or a project.
    package static var requestMethods: Set<String> { Set(requests.keys) }

    static let requests: [String: Request] = [
        "baton/sentText": Request(.thisState) { server, input throws(ResponseError) in
            try SentText.text(server, input)
        },
        "textDocument/codeAction": Request(.thisState) { server, input throws(ResponseError) in
            try CodeActions.actions(server, input)
        },
        "textDocument/completion": Request(.otherTexts) { server, input throws(ResponseError) in
            try Completion.items(server, input)
        },
        "textDocument/definition": Request(.thisState) { server, input throws(ResponseError) in
            try Navigation.definition(server, input)
        },
        "textDocument/documentSymbol": Request(.text) { server, input throws(ResponseError) in
            try Symbols.document(server, input)
        },
        "textDocument/foldingRange": Request(.text) { server, input throws(ResponseError) in
            try Folding.ranges(server, input)
        },
        "textDocument/formatting": Request(.text) { server, input throws(ResponseError) in
            try Formatting.document(server, input)
        },
        "textDocument/hover": Request(.otherTexts) { server, input throws(ResponseError) in
            try Hover.text(server, input)
        },
        "textDocument/implementation": Request(.thisState) { server, input throws(ResponseError) in
            try Navigation.implementation(server, input)
        },
        "textDocument/prepareRename": Request(.otherTexts) { server, input throws(ResponseError) in
            try Rename.prepare(server, input)
        },
        "textDocument/rangeFormatting": Request(.text) { server, input throws(ResponseError) in
            try Formatting.range(server, input)
        },
        "textDocument/references": Request(.thisState) { server, input throws(ResponseError) in
            try Navigation.references(server, input)
        },
        "textDocument/rename": Request(.thisState) { server, input throws(ResponseError) in
            try Rename.perform(server, input)
        },
        "textDocument/semanticTokens/full": Request(.otherTexts) { server, input throws(ResponseError) in
            try SemanticTokens.full(server, input)
        },
        "workspace/symbol": Request(.thisState) { server, input throws(ResponseError) in
            try Symbols.workspace(server, input)
        },
    ]
}
