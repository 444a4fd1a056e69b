import BatonCompiler
import BatonDiagnostics
import BatonProject
import BatonSchema
import BatonSyntax

/// The symbols of a document and of the workspace.
enum Symbols {
    private enum Kind: Int {
        case field = 8
        case `enum` = 10
        case interface = 11
        case function = 12
        case variable = 13
        case `class` = 5
        case `struct` = 23
        case event = 24
    }

    /// The largest number of symbols in a response.
    private static let limit = 500
    /// The depth down to which selections are symbols. It bounds the stack, whatever the document is.
    private static let depthLimit = 60

    // MARK: - Document

    static func document(_ server: LanguageServer, _ input: RequestInput) throws(ResponseError) -> JSONValue {
        let (path, lines) = try server.file(input)
        if lines.isLarge { return .null }
        let limits = server.project(of: path)?.view.compiler.limits ?? ParserLimits()
        var symbols: [JSONValue] = []
        for piece in GraphQLText(path: path, bytes: lines.bytes).pieces {
            let (document, _) = Parser.parseDocument(
                piece.source, range: piece.range, limits: limits, mayBeEmpty: true)
            let writer = SymbolWriter(
                piece: piece, lines: lines, hasTrees: server.client.hasSymbolTrees,
                uri: input.uri?.text ?? DocumentURI(path).text)
            symbols += document.definitions.compactMap(writer.symbol)
        }
        return .array(symbols)
    }

    private struct SymbolWriter {
        let piece: GraphQLText.Piece
        let lines: LineIndex
        let hasTrees: Bool
        let uri: String

        private func make(
            _ name: String, _ detail: String?, _ kind: Kind, _ span: Span, _ nameSpan: Span,
            _ children: [JSONValue] = []
        ) -> JSONValue {
            func range(_ span: Span) -> JSONValue { lines.range(of: piece.original(span.range)).json }
            // An empty name is refused by clients.
            let name = name.isEmpty ? "?" : name
            if !hasTrees {
                return [
                    "name": .string(name), "kind": .integer(kind.rawValue),
                    "location": ["uri": .string(uri), "range": range(span)],
                ]
            }
            let whole = span.joined(with: nameSpan)
            let symbol: JSONValue = [
                "name": .string(name), "kind": .integer(kind.rawValue), "range": range(whole),
                "selectionRange": range(nameSpan),
            ]
            return symbol.with("detail", detail.map { .string($0) })
                .with("children", children.isEmpty ? nil : .array(children))
        }

        func symbol(of definition: Definition) -> JSONValue? {
            switch definition {
            case .operation(let operation):
                return make(
                    operation.name?.text ?? operation.kind.rawValue, operation.kind.rawValue,
                    operation.kind == .subscription ? .event : .function, operation.span, operation.headSpan,
                    selections(operation.selectionSet, 0))
            case .fragment(let fragment):
                return make(
                    fragment.name.text, "on \(fragment.typeCondition.text)", .class, fragment.span,
                    fragment.name.span, selections(fragment.selectionSet, 0))
            case .type(let type): return make(type.name.text, nil, .struct, type.span, type.name.span)
            case .directive(let directive):
                return make("@" + directive.name.text, nil, .interface, directive.span, directive.name.span)
            case .schema: return nil
            }
        }

        private func selections(_ set: SelectionSet, _ depth: Int) -> [JSONValue] {
            guard hasTrees, depth < Symbols.depthLimit else { return [] }
            return set.selections.map { selection in
                switch selection {
                case .field(let field):
                    let detail = field.alias == nil ? nil : field.name.text
                    return make(
                        field.responseKey.text, detail, .field, field.span, field.responseKey.span,
                        field.selectionSet.map { selections($0, depth + 1) } ?? [])
                case .fragmentSpread(let spread):
                    return make("..." + spread.name.text, nil, .class, spread.span, spread.name.span)
                case .inlineFragment(let inline):
                    let type = inline.typeCondition
                    return make(
                        "... on \(type?.text ?? "")", nil, .struct, inline.span, type?.span ?? inline.span,
                        selections(inline.selectionSet, depth + 1))
                }
            }
        }
    }

    // MARK: - Workspace

    /// The definitions, and the types of the schemas, whose names have the letters of the query in their order.
    static func workspace(_ server: LanguageServer, _ input: RequestInput) throws(ResponseError) -> JSONValue {
        guard let query = input.parameters["query"]?.string else {
            throw .invalidParameters("'query' is a string")
        }
        let letters = Array(query.lowercased().utf8)
        var found:
            [(rank: Int, name: String, kind: Kind, container: String, place: (path: AbsolutePath, range: Range<Int>))] =
                []
        for project in server.projects.values.sorted(by: { $0.configuration < $1.configuration }) {
            let view = project.view
            for entry in Array(view.index.operations.values) + Array(view.index.fragments.values) {
                guard let rank = rank(entry.name, letters) else { continue }
                let container = entry.isFragment ? "on \(entry.type ?? "")" : "\(entry.kind)"
                let kind: Kind = entry.isFragment ? .class : .function
                found.append((rank, entry.name, kind, container, (entry.path, entry.nameRange)))
            }
            for type in view.schema?.types ?? [] where !type.isPredeclared {
                guard let rank = rank(type.name, letters), let place = view.place(of: type.span) else { continue }
                let kind: Kind =
                    type.kind == .enum ? .enum : type.kind == .interface ? .interface : .struct
                found.append((rank + 1, type.name, kind, "schema", place))
            }
        }
        found.sort { ($0.rank, $0.name, $0.container) < ($1.rank, $1.name, $1.container) }
        // Many types stand in one file.
        var lines: [AbsolutePath: LineIndex] = [:]
        return .array(
            found.prefix(limit).map { item in
                let index = lines[item.place.path] ?? server.lines(of: item.place.path)
                lines[item.place.path] = index
                let uri = server.openDocument(at: item.place.path)?.uri ?? DocumentURI(item.place.path)
                return [
                    "name": .string(item.name), "kind": .integer(item.kind.rawValue),
                    "location": ["uri": .string(uri.text), "range": index.range(of: item.place.range).json],
                    "containerName": .string(item.container),
                ]
            })
    }

    /// The rank of a name for a query, smaller for a better one; nil if the letters do not occur in their order.
    static func rank(_ name: String, _ letters: [UInt8]) -> Int? {
        let text = Array(name.lowercased().utf8)
        if letters.isEmpty { return 6 }
        if text == letters { return 0 }
        if text.starts(with: letters) { return 2 }
        var position = 0
        for byte in text where position < letters.count && byte == letters[position] { position += 1 }
        guard position == letters.count else { return nil }
        return name.lowercased().contains(String(decoding: letters, as: UTF8.self)) ? 4 : 6
    }
}
