import BatonCompiler
import BatonProject
import BatonSchema
import BatonSyntax

/// The text that an editor shows about the word under a cursor.
struct Hover {
    private let site: Site
    private let reader: RoleReader

    static func text(_ server: LanguageServer, _ input: RequestInput) throws(ResponseError) -> JSONValue {
        if let name = try SchemaName.at(server, input) {
            let described = Self.describe(name.occurrence, on: name.owner, name.schema, name.view.configuration)
            return described.map { Self.answer($0, name.range, server) } ?? .null
        }
        guard let site = try server.site(input) else { return .null }
        let reader = try site.reader()
        guard let token = reader.token(at: site.pieceOffset) else { return .null }
        let hover = Hover(site: site, reader: reader)
        return hover.describe(token).map { Self.answer($0, site.range(token.range), server) } ?? .null
    }

    private static func answer(
        _ described: (code: String, notes: [String]), _ range: TextRange, _ server: LanguageServer
    ) -> JSONValue {
        let (code, notes) = described
        let text = (["```graphql\n\(code)\n```"] + notes.filter { !$0.isEmpty }).joined(separator: "\n\n")
        let plain = ([code] + notes.filter { !$0.isEmpty }).joined(separator: "\n\n")
        return [
            "contents": [
                "kind": server.client.hasMarkdown ? "markdown" : "plaintext",
                "value": .string(server.client.hasMarkdown ? text : plain),
            ],
            "range": range.json,
        ]
    }

    /// The declaration of what a token stands for, and notes about it.
    private func describe(_ token: RoledToken) -> (code: String, notes: [String])? {
        guard let schema = site.schema else { return nil }
        let name = reader.text(of: token.token)
        if let query = reader.refetchQuery(token) {
            return ("query \(query)", ["Swift: `\(GeneratedSwift.operation(query, .query))`"])
        }
        switch token.role {
        case .field(let field?, on: let type):
            var described = Self.describe(.field(field), on: type, schema, configuration)
            described?.notes.insert(swift(field, token), at: 2)
            return described
        case .argument(nil, of: .fragment(let fragment)):
            guard let argument = site.fragments[fragment]?.arguments.first(where: { $0.name == name }) else {
                return nil
            }
            return ("\(argument.name): \(argument.type ?? "")", ["Argument of the fragment `\(fragment)`"])
        case .spread, .fragmentName:
            return site.fragments[name].map { fragment in
                let swift = GeneratedSwift.fragment(name)
                return (
                    "fragment \(name) on \(fragment.type ?? "")",
                    ["Swift: `\(swift)`", "in `\(fragment.path.relative(to: folder))`"]
                )
            }
        case .operationName(let kind):
            return (
                "\(kind.rawValue) \(name)",
                ["Swift: `\(GeneratedSwift.operation(name, kind))`", Self.settings(of: [name], configuration)]
            )
        case .variable, .variableDeclaration, .argumentDeclaration:
            guard token.definition >= 0,
                let variable = reader.definitions[token.definition].variables.first(where: { $0.name == name })
            else { return nil }
            return ("$\(name): \(variable.type)", [])
        default: return Occurrence(token, reader, schema).flatMap { Self.describe($0, on: nil, schema, configuration) }
        }
    }

    /// The declaration of a thing that the schema defines, with its description and deprecation.
    private static func describe(
        _ occurrence: Occurrence, on owner: SchemaType?, _ schema: Schema, _ configuration: Configuration?
    ) -> (code: String, notes: [String])? {
        let text = SchemaText(schema)
        func deprecation(_ reason: String?) -> String { reason.map { "Deprecated: \($0)" } ?? "" }
        switch occurrence {
        case .field(let field):
            let names = [owner.map { "\($0.name).\(field.name)" }, schema.namedType(of: field.type).name]
            let notes = [field.description ?? "", deprecation(field.deprecation), settings(of: names, configuration)]
            return (text.field(field, on: owner), notes)
        case .input(let value): return (text.input(value), [value.description ?? "", deprecation(value.deprecation)])
        case .enumValue(let name, let type):
            guard let value = type.enumValue(named: name) else { return nil }
            return ("\(type.name).\(name)", [value.description ?? "", deprecation(value.deprecation)])
        case .type(let type):
            return (text.type(type), [type.description ?? "", settings(of: [type.name], configuration)])
        case .directive(let directive): return (text.directive(directive), [directive.description ?? ""])
        case .fragment, .operation, .variable, .fragmentArgument, .alias, .refetchQuery: return nil
        }
    }

    private var configuration: Configuration? { site.view.configuration }

    private var folder: AbsolutePath {
        site.view.configuration?.directory ?? site.path.parent
    }

    private func swift(_ field: SchemaField, _ token: RoledToken) -> String {
        guard let schema = site.schema else { return "" }
        var key = reader.text(of: token.token)
        if let index = reader.index(of: token.token), index > 1, case .alias = reader.roled[index - 2].role {
            key = reader.text(of: reader.roled[index - 2].token)
        }
        let type = GeneratedSwift.type(of: field.type, key: key, schema, site.view.configuration)
        return "Swift: `\(key): \(type)`"
    }

    /// What the configuration says of these names: their age limits, and which of them never reach a file.
    private static func settings(of names: [String?], _ configuration: Configuration?) -> String {
        guard let configuration else { return "" }
        let unstored = Set(configuration.unstored.map(\.text))
        var sentences: [String] = []
        for name in names.compactMap(\.self) {
            if let limit = configuration.maxAge[name] { sentences.append("`\(name)` is fresh for \(limit.seconds) s") }
            if unstored.contains(name) { sentences.append("`\(name)` never reaches a file") }
        }
        return sentences.joined(separator: "\n\n")
    }
}
