import BatonDiagnostics
import BatonSyntax

/// Builds one schema from several documents: it collects definitions, merges extensions, resolves names, and checks the
/// rules of the specification.
///
/// The builder goes on after every mistake and always returns a schema. After an error, the schema is only good for
/// finding further errors. Each rule of the specification is an extension in the folder `Rules`.
package struct SchemaBuilder {
    private(set) var diagnostics: [Diagnostic] = []
    /// Whether all texts could be parsed to their ends.
    private var isWhole = true
    /// The places of mistakes that client schema extensions cause; nil without extensions.
    private var places: ExtensionPlaces?
    var names = SchemaNames()
    var types: [TypeDraft] = []
    var typeIndex: [String: Int] = [:]
    var directives: [String: DirectiveDraft] = [:]
    var directiveOrder: [String] = []
    /// The server's directives for definitions that have the name of a Relay directive for documents.
    var definitionDirectives: [String: DirectiveDraft] = [:]
    var schemaDefinition: SchemaDefinition?
    var schemaExtensions: [SchemaDefinition] = []
    /// The root types of the server, which client schema extensions do not change.
    var serverRoots: [OperationKind: SchemaType] = [:]

    // Collected while names are resolved, for rules that need the whole schema.
    var directiveUses: [DirectiveUse] = []
    var defaultValues: [SchemaInputValue] = []
    /// For each type, the interfaces or members that it names, with their places.
    var namedTypes: [[NamedType]] = []
    var brokenMembers: Set<Member> = []
    /// The number of names that were compared with misspelled names.
    var comparedNames = 0

    /// The source of a definition.
    enum Origin {
        case specification
        case relay
        case schema
        case client

        var isPredeclared: Bool { self == .specification || self == .relay }
    }

    struct DirectiveDraft {
        var definition: DirectiveDefinition
        let origin: Origin
    }

    struct NamedType {
        let id: TypeID
        let span: Span
    }

    /// A field, argument or input field that is left out because its type is wrong. The mistake is reported once; the
    /// missing member is not reported.
    struct Member: Hashable {
        let owner: String
        let name: String
    }

    /// Builds a schema from the server's documents and from client schema extensions, whose types and fields are
    /// marked.
    ///
    /// The server's documents are checked by themselves. Extensions are checked against them; a mistake is reported at
    /// the extension.
    ///
    /// The built-in scalars, directives and introspection types need no declaration, and neither do Relay's directives.
    /// The parser's diagnostics are not repeated. Diagnostics are sorted by position. If a text could not be parsed to
    /// its end, `isWhole` is false, and nothing is reported that a missing part may be the reason for.
    package static func build(
        _ documents: [Document],
        extensions: [Document] = [],
        names: SchemaNames = SchemaNames(),
        isWhole: Bool = true
    ) -> (schema: Schema, diagnostics: [Diagnostic]) {
        Spelling.withBudget { make(documents, extensions, names, isWhole) }
    }

    private static func make(
        _ documents: [Document],
        _ extensions: [Document],
        _ names: SchemaNames,
        _ isWhole: Bool
    ) -> (schema: Schema, diagnostics: [Diagnostic]) {
        var server = SchemaBuilder()
        server.names = names
        server.isWhole = isWhole
        let schema = server.schema(of: documents, extensions: [])
        if extensions.isEmpty { return (schema, server.diagnostics.sortedByPosition()) }
        var whole = SchemaBuilder()
        whole.names = names
        whole.isWhole = isWhole
        whole.places = ExtensionPlaces(extensions: Set(extensions.map(\.span.source)), known: server.diagnostics)
        let extended = whole.schema(of: documents, extensions: extensions, server: schema)
        return (extended, (server.diagnostics + whole.diagnostics).sortedByPosition())
    }

    private mutating func schema(of documents: [Document], extensions: [Document], server: Schema? = nil) -> Schema {
        collectTypes(of: Predeclared.specification, origin: .specification)
        collectTypes(of: Predeclared.relay, origin: .relay)
        for document in documents { collectTypes(of: document, origin: .schema) }
        for document in extensions { collectTypes(of: document, origin: .client) }
        for document in documents { collectExtensions(of: document, origin: .schema) }
        for kind in OperationKind.allCases { serverRoots[kind] = server?.rootType(for: kind) }
        for document in extensions { collectExtensions(of: document, origin: .client) }
        return makeSchema(server: server, clientDefinitions: extensions.flatMap(\.definitions))
    }

    mutating func report(
        _ id: DiagnosticID,
        severity: Severity = .error,
        _ message: String,
        at span: Span,
        notes: [Diagnostic.Note] = [],
        suggestion: String? = nil,
        isLowerable: Bool = false
    ) {
        let notes = notes.filter { $0.span.source != .predeclared }
        report(
            Diagnostic(
                id,
                severity: severity,
                message,
                at: span,
                notes: notes,
                suggestion: suggestion,
                isLowerable: isLowerable
            )
        )
    }

    /// Reports a mistake, unless a part that could not be parsed may be the reason, which would be reported everywhere.
    /// A mistake that an extension causes is reported at the extension.
    mutating func report(_ diagnostic: Diagnostic) {
        if !isWhole, Self.absences.contains(diagnostic.id) { return }
        if let placed = places == nil ? diagnostic : places?.placed(diagnostic) { diagnostics.append(placed) }
    }

    /// The mistakes that a missing part of a schema causes.
    private static let absences: Set<DiagnosticID> = [
        .emptyType, .interfaceArgument, .missingArgument, .missingInterface, .missingInterfaceField, .missingQueryType,
        .unknownArgument, .unknownEnumValue, .unknownInputField, .unknownSchemaDirective, .unknownType,
    ]

    // MARK: - Collecting

    private mutating func collectTypes(of document: Document, origin: Origin) {
        for definition in document.definitions {
            switch definition {
            case .type(let type) where !type.isExtension: define(type, origin: origin)
            case .directive(let directive) where !directive.isExtension: define(directive, origin: origin)
            case .schema(let schema) where !schema.isExtension: define(schema, origin: origin)
            case .type, .schema, .directive: break
            case .operation, .fragment: reportExecutable(definition)
            }
        }
    }

    private mutating func define(_ type: TypeDefinition, origin: Origin) {
        let name = type.name.text
        guard let index = typeIndex[name] else {
            if !origin.isPredeclared { checkIsNotReserved(type.name, "type") }
            typeIndex[name] = types.count
            types.append(TypeDraft(type, origin: origin))
            return
        }
        let first = types[index]
        switch first.origin {
        case .specification where name.hasPrefix("__"): break  // printed with the schema by some servers
        case .specification where first.kind != TypeDraft.kind(of: type.body):
            report(
                .duplicateDefinition,
                "'\(name)' is a built-in \(first.keyword) and cannot be defined as \(type.body.keyword)",
                at: type.name.span
            )
        case .specification, .relay:
            types[index] = TypeDraft(type, origin: first.origin == .relay ? origin : .specification)
        case .schema, .client:
            report(
                .duplicateDefinition,
                "type '\(name)' is defined twice",
                at: type.name.span,
                notes: [.init("first defined here", at: first.name.span)]
            )
        }
    }

    /// Adds a directive. The server's definition replaces a predeclared one. Both are kept if the server's directive is
    /// for definitions and Relay's is for documents, as with Amplify's `@connection`. Both are kept, too, if the
    /// server's `@defer` or `@stream` has no `label`, which is always sent: then documents have Relay's, with what the
    /// server's has in addition.
    private mutating func define(_ directive: DirectiveDefinition, origin: Origin) {
        let name = directive.name.text
        let first = definitionDirectives[name] ?? directives[name]
        if let first, !first.origin.isPredeclared {
            report(
                .duplicateDefinition,
                "directive '@\(name)' is defined twice",
                at: directive.name.span,
                notes: [.init("first defined here", at: first.definition.name.span)]
            )
            return
        }
        if first == nil {
            directiveOrder.append(name)
            if !origin.isPredeclared { checkIsNotReserved(directive.name, "directive") }
        }
        let draft = DirectiveDraft(definition: directive, origin: origin)
        let isForDefinitions = !directive.locations.contains { $0.location.isExecutable }
        let isForOthers = isForDefinitions && first?.definition.isForDocuments == true
        if first?.origin == .relay, isForOthers || directive.lacksLabel {
            definitionDirectives[name] = draft
            if !isForOthers { addArguments(of: directive, toRelays: name) }
        } else {
            directives[name] = draft
        }
    }

    /// Adds the arguments of a server's `@defer` or `@stream` that Relay's does not have.
    private mutating func addArguments(of server: DirectiveDefinition, toRelays name: String) {
        let known = Set((directives[name]?.definition.arguments ?? []).map(\.name.text))
        directives[name]?.definition.arguments += server.arguments.filter { !known.contains($0.name.text) }
    }

    private mutating func define(_ schema: SchemaDefinition, origin: Origin) {
        if origin == .client {
            report(
                .duplicateDefinition,
                "a client schema extension cannot define the schema, which is the server's",
                at: schema.keyword,
                suggestion: "remove it"
            )
        } else if let first = schemaDefinition {
            report(
                .duplicateDefinition,
                "the schema is defined twice",
                at: schema.keyword,
                notes: [.init("first defined here", at: first.keyword)]
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
        report(.executableInSchema, "operations and fragments do not belong in a schema", at: span)
    }
}

extension DirectiveDefinition {
    fileprivate var isForDocuments: Bool { locations.contains { $0.location.isExecutable } }

    /// Whether this is `@defer` or `@stream` without the argument that tells parts from one another.
    fileprivate var lacksLabel: Bool {
        ["defer", "stream"].contains(name.text) && !isBroken && !arguments.contains { $0.name.text == "label" }
    }
}

extension DirectiveLocation {
    /// Whether the location is in a document, not in a schema.
    package var isExecutable: Bool {
        switch self {
        case .query, .mutation, .subscription, .field, .fragmentDefinition, .fragmentSpread, .inlineFragment,
            .variableDefinition, .fragmentVariableDefinition:
            true
        case .schema, .scalar, .object, .fieldDefinition, .argumentDefinition, .interface, .union, .enum, .enumValue,
            .inputObject, .inputFieldDefinition, .directiveDefinition:
            false
        }
    }
}
