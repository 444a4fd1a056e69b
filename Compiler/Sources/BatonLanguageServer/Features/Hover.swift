import BatonCompiler
import BatonProject
import BatonSchema
import BatonSyntax

/// What is said of the word under a cursor.
struct Hover {
    private let site: Site
    private let reader: RoleReader

    static func text(_ server: LanguageServer, _ input: RequestInput) throws(ResponseError) -> JSONValue {
        guard let site = try server.site(input) else { return .null }
        let reader = site.reader()
        guard let token = reader.token(at: site.pieceOffset) else { return .null }
        let hover = Hover(site: site, reader: reader)
        guard let (code, notes) = hover.describe(token) else { return .null }
        let text = (["```graphql\n\(code)\n```"] + notes.filter { !$0.isEmpty }).joined(separator: "\n\n")
        let plain = ([code] + notes.filter { !$0.isEmpty }).joined(separator: "\n\n")
        return [
            "contents": [
                "kind": server.client.hasMarkdown ? "markdown" : "plaintext",
                "value": .string(server.client.hasMarkdown ? text : plain),
            ],
            "range": site.range(token.range).json,
        ]
    }

    /// The declaration, and what is to be said about it.
    private func describe(_ token: RoledToken) -> (code: String, notes: [String])? {
        guard let schema = site.schema else { return nil }
        let name = reader.text(of: token.token)
        switch token.role {
        case .field(let field?, on: let type):
            let notes = [
                field.description ?? "", deprecation(field.deprecation), swift(field, token),
                limit(type.map { "\($0.name).\(field.name)" }, schema.namedType(of: field.type).name),
            ]
            return (SchemaText(schema).field(field, on: type), notes)
        case .argument(let value?, _), .inputField(let value?, _):
            return (
                SchemaText(schema).input(value), [value.description ?? "", deprecation(value.deprecation)]
            )
        case .argument(nil, of: .fragment(let fragment)):
            guard let argument = site.fragments[fragment]?.arguments.first(where: { $0.name == name }) else {
                return nil
            }
            return ("\(argument.name): \(argument.type ?? "")", ["Argument of the fragment `\(fragment)`"])
        case .enumValue(let type?):
            guard let value = type.enumValue(named: name) else { return nil }
            return ("\(type.name).\(name)", [value.description ?? "", deprecation(value.deprecation)])
        case .typeName:
            return schema.type(named: name).map { type in
                (SchemaText(schema).type(type), [type.description ?? "", limit(type.name, nil)])
            }
        case .spread, .fragmentName:
            return site.fragments[name].map { fragment in
                let swift = GeneratedSwift.fragment(name)
                return (
                    "fragment \(name) on \(fragment.type ?? "")",
                    ["Swift: `\(swift)`", "in `\(fragment.path.relative(to: folder))`"]
                )
            }
        case .operationName(let kind):
            return ("\(kind.rawValue) \(name)", ["Swift: `\(GeneratedSwift.operation(name, kind))`", limit(name, nil)])
        case .variable, .variableDeclaration, .argumentDeclaration:
            guard token.definition >= 0,
                let variable = reader.definitions[token.definition].variables.first(where: { $0.name == name })
            else { return nil }
            return ("$\(name): \(variable.type)", [])
        case .directive(let directive?):
            return (SchemaText(schema).directive(directive), [directive.description ?? ""])
        default: return nil
        }
    }

    private var folder: AbsolutePath {
        site.view.configuration?.directory ?? site.path.parent
    }

    private func deprecation(_ reason: String?) -> String { reason.map { "Deprecated: \($0)" } ?? "" }

    private func swift(_ field: SchemaField, _ token: RoledToken) -> String {
        guard let schema = site.schema else { return "" }
        var key = reader.text(of: token.token)
        if let index = reader.roled.firstIndex(where: { $0.token.start == token.token.start }), index > 1,
            case .alias = reader.roled[index - 2].role
        {
            key = reader.text(of: reader.roled[index - 2].token)
        }
        let type = GeneratedSwift.type(of: field.type, key: key, schema, site.view.configuration)
        return "Swift: `\(key): \(type)`"
    }

    /// The age limits of things, by their names in the configuration.
    private func limit(_ names: String?...) -> String {
        let limits = site.view.configuration?.maxAge ?? [:]
        return names.compactMap(\.self).compactMap { name in
            limits[name].map { "`\(name)` is fresh for \($0.seconds) s" }
        }.joined(separator: "\n\n")
    }
}
