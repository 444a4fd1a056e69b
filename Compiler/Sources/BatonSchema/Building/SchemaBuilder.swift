import BatonDiagnostics
import BatonSyntax

/// Makes one schema of several documents: collects definitions, merges extensions, resolves names, and reports what does
/// not fit together.
///
/// It goes on after every mistake and always gives a schema; with errors among the diagnostics that schema is good for
/// further diagnostics only.
package struct SchemaBuilder {
    var diagnostics: [Diagnostic] = []
    var types: [TypeDraft] = []
    var typeIndex: [String: Int] = [:]
    var directives: [String: DirectiveDraft] = [:]
    var directiveOrder: [String] = []
    var schemaDefinition: SchemaDefinition?
    var schemaExtensions: [SchemaDefinition] = []

    /// Where a definition comes from.
    enum Origin {
        case specification
        case relay
        case schema
        case client

        var isPredeclared: Bool { self == .specification || self == .relay }
    }

    struct DirectiveDraft {
        let definition: DirectiveDefinition
        let origin: Origin
    }

    /// Builds a schema from the server's documents and from client schema extensions, whose types and fields are marked.
    ///
    /// The built-in scalars, directives and introspection types need no declaration, nor do Relay's directives. What the
    /// parser said about the documents is not repeated; diagnostics are sorted by position.
    package static func build(
        _ documents: [Document],
        extensions: [Document] = []
    ) -> (schema: Schema, diagnostics: [Diagnostic]) {
        var builder = SchemaBuilder()
        builder.collectTypes(of: Predeclared.specification, origin: .specification)
        builder.collectTypes(of: Predeclared.relay, origin: .relay)
        for document in documents { builder.collectTypes(of: document, origin: .schema) }
        for document in extensions { builder.collectTypes(of: document, origin: .client) }
        for document in documents { builder.collectExtensions(of: document, origin: .schema) }
        for document in extensions { builder.collectExtensions(of: document, origin: .client) }
        let schema = builder.makeSchema()
        return (schema, builder.diagnostics.sortedByPosition())
    }

    // MARK: - Collecting

    private mutating func collectTypes(of document: Document, origin: Origin) {
        for definition in document.definitions {
            switch definition {
            case .type(let type) where !type.isExtension: define(type, origin: origin)
            case .directive(let directive): define(directive, origin: origin)
            case .schema(let schema) where !schema.isExtension: define(schema)
            case .type, .schema: break
            case .operation, .fragment: reportExecutable(definition)
            }
        }
    }

    private mutating func define(_ type: TypeDefinition, origin: Origin) {
        let name = type.name.text
        guard let index = typeIndex[name] else {
            typeIndex[name] = types.count
            types.append(TypeDraft(type, origin: origin))
            return
        }
        let first = types[index]
        switch first.origin {
        case .specification where name.hasPrefix("__"): break  // printed with the schema by some servers
        case .specification, .relay:
            types[index] = TypeDraft(type, origin: first.origin == .relay ? origin : .specification)
        case .schema, .client:
            diagnostics.append(
                Diagnostic(
                    .duplicateDefinition,
                    "type '\(name)' is defined twice",
                    at: type.name.span,
                    notes: [.init("first defined here", at: first.name.span)]
                )
            )
        }
    }

    private mutating func define(_ directive: DirectiveDefinition, origin: Origin) {
        let name = directive.name.text
        if let first = directives[name], !first.origin.isPredeclared {
            diagnostics.append(
                Diagnostic(
                    .duplicateDefinition,
                    "directive '@\(name)' is defined twice",
                    at: directive.name.span,
                    notes: [.init("first defined here", at: first.definition.name.span)]
                )
            )
            return
        }
        if directives[name] == nil { directiveOrder.append(name) }
        directives[name] = DirectiveDraft(definition: directive, origin: origin)
    }

    private mutating func define(_ schema: SchemaDefinition) {
        if let first = schemaDefinition {
            diagnostics.append(
                Diagnostic(
                    .duplicateDefinition,
                    "the schema is defined twice",
                    at: schema.span,
                    notes: [.init("first defined here", at: first.span)]
                )
            )
        } else {
            schemaDefinition = schema
        }
    }

    private mutating func reportExecutable(_ definition: Definition) {
        let span: Span
        switch definition {
        case .operation(let operation): span = operation.name?.span ?? operation.span
        case .fragment(let fragment): span = fragment.name.span
        default: span = definition.span
        }
        diagnostics.append(
            Diagnostic(.executableInSchema, "operations and fragments do not belong in a schema", at: span)
        )
    }

    private mutating func collectExtensions(of document: Document, origin: Origin) {
        for definition in document.definitions {
            switch definition {
            case .type(let type) where type.isExtension: extend(with: type, origin: origin)
            case .schema(let schema) where schema.isExtension: schemaExtensions.append(schema)
            default: break
            }
        }
    }

    private mutating func extend(with type: TypeDefinition, origin: Origin) {
        let name = type.name.text
        guard let index = typeIndex[name] else {
            diagnostics.append(
                Diagnostic(
                    .unknownType,
                    "cannot extend unknown type '\(name)'",
                    at: type.name.span,
                    suggestion: Spelling.question(for: name, among: typeIndex.keys)
                )
            )
            return
        }
        guard types[index].kind == TypeDraft.kind(of: type.body) else {
            diagnostics.append(
                Diagnostic(
                    .extensionKind,
                    "cannot extend '\(name)' as \(type.body.keyword), it is \(types[index].keyword)",
                    at: type.name.span,
                    notes: definedHere(types[index]),
                    suggestion: "write 'extend \(types[index].keyword) \(name)'"
                )
            )
            return
        }
        types[index].merge(type, isClientOnly: origin == .client)
    }
}
