import BatonDiagnostics
import BatonSyntax

/// Reads the answer to an introspection query as a schema document, with positions in the JSON.
///
/// The object with `__schema` may stand by itself, under `data`, or be the value of `__schema`. What is missing is taken as
/// empty, as older servers leave it out; what has the wrong shape is reported and left out.
///
/// Specification: https://spec.graphql.org/September2025/#sec-Schema-Introspection
struct IntrospectionReader {
    private let source: SourceID
    private var diagnostics: [Diagnostic] = []

    private static let builtInScalars: Set<String> = ["Boolean", "Float", "ID", "Int", "String"]
    private static let builtInDirectives: Set<String> = ["deprecated", "include", "oneOf", "skip", "specifiedBy"]
    private static let typeDepthLimit = 64

    /// Whether a text can only be JSON: no schema in SDL begins with a brace or a bracket.
    static func recognizes(_ file: SourceFile) -> Bool {
        let bytes = file.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? file.bytes[3...] : file.bytes[...]
        let first = bytes.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    static func read(_ file: SourceFile) -> (document: Document, diagnostics: [Diagnostic]) {
        let (node, found) = JSONParser.parse(file, syntaxID: .introspection, keyID: .introspection)
        var reader = IntrospectionReader(source: file.id, diagnostics: found)
        guard let node else { return (Document(definitions: [], span: file.span), found) }
        let definitions = reader.definitions(node)
        return (Document(definitions: definitions, span: file.span), reader.diagnostics.sortedByPosition())
    }

    private mutating func definitions(_ node: JSONNode) -> [Definition] {
        guard let schema = node["data"]?["__schema"] ?? node["__schema"] ?? (node["types"] == nil ? nil : node) else {
            let hasErrors = node["errors"] != nil
            report("there is no '__schema' in this answer" + (hasErrors ? ", but 'errors'" : ""), node)
            return []
        }
        var definitions = [schemaDefinition(schema)].map(Definition.schema)
        for type in list(schema, "types") {
            if let definition = typeDefinition(type) { definitions.append(.type(definition)) }
        }
        for directive in list(schema, "directives") {
            if let definition = directiveDefinition(directive) { definitions.append(.directive(definition)) }
        }
        return definitions
    }

    private mutating func schemaDefinition(_ node: JSONNode) -> SchemaDefinition {
        let kinds: [(OperationKind, String)] = [
            (.query, "queryType"), (.mutation, "mutationType"), (.subscription, "subscriptionType"),
        ]
        let roots = kinds.compactMap { kind, key in
            present(node, key).flatMap { name($0) }.map { RootOperationType(kind: kind, type: $0, span: $0.span) }
        }
        return SchemaDefinition(description: description(node), operationTypes: roots, span: node.span)
    }

    // MARK: - Types

    /// Nil for what every schema has; so it is with directives.
    private mutating func typeDefinition(_ node: JSONNode) -> TypeDefinition? {
        guard let name = name(node) else { return nil }
        if name.text.hasPrefix("__") || Self.builtInScalars.contains(name.text) { return nil }
        var directives: [Directive] = []
        let body: TypeDefinition.Body
        switch string(node, "kind") {
        case "SCALAR":
            body = .scalar
            if let url = string(node, "specifiedByURL") {
                directives.append(Self.directive("specifiedBy", ["url": .string(StringValue(url))]))
            }
        case "OBJECT": body = .object(interfaces: names(node, "interfaces"), fields: fields(node))
        case "INTERFACE": body = .interface(interfaces: names(node, "interfaces"), fields: fields(node))
        case "UNION": body = .union(members: names(node, "possibleTypes"))
        case "ENUM":
            body = .enum(
                values: list(node, "enumValues").compactMap { value in
                    self.name(value).map { name in
                        EnumValueDefinition(
                            description: description(value),
                            name: name,
                            directives: deprecation(value),
                            span: value.span
                        )
                    }
                }
            )
        case "INPUT_OBJECT":
            body = .inputObject(fields: inputValues(node, "inputFields"))
            if node["isOneOf"]?.value == .boolean(true) { directives.append(Self.directive("oneOf", [:])) }
        case let kind:
            report(
                "the type '\(name.text)' is of an unknown kind" + (kind.map { " '\($0)'" } ?? ""), node["kind"] ?? node)
            return nil
        }
        return TypeDefinition(
            description: description(node),
            name: name,
            directives: directives,
            body: body,
            span: node.span
        )
    }

    private mutating func fields(_ node: JSONNode) -> [FieldDefinition] {
        list(node, "fields").compactMap { field in
            guard let name = name(field), let type = type(field) else { return nil }
            return FieldDefinition(
                description: description(field),
                name: name,
                arguments: inputValues(field, "args"),
                type: type,
                directives: deprecation(field),
                span: field.span
            )
        }
    }

    private mutating func inputValues(_ node: JSONNode, _ key: String) -> [InputValueDefinition] {
        list(node, key).compactMap { value in
            guard let name = name(value), let type = type(value) else { return nil }
            return InputValueDefinition(
                description: description(value),
                name: name,
                type: type,
                defaultValue: defaultValue(value),
                directives: deprecation(value),
                span: value.span
            )
        }
    }

    private mutating func directiveDefinition(_ node: JSONNode) -> DirectiveDefinition? {
        guard let name = name(node), !Self.builtInDirectives.contains(name.text) else { return nil }
        let locations = list(node, "locations").compactMap { location -> DirectiveDefinition.Located? in
            guard case .string(let text) = location.value, let value = DirectiveLocation(rawValue: text) else {
                report("this is no location of a directive", location)
                return nil
            }
            return .init(value, span: location.span)
        }
        return DirectiveDefinition(
            description: description(node),
            name: name,
            arguments: inputValues(node, "args"),
            isRepeatable: node["isRepeatable"]?.value == .boolean(true),
            locations: locations,
            span: node.span
        )
    }

    // MARK: - Parts

    /// The `type` of a field or input value: wrappers `LIST` and `NON_NULL` around a name.
    private mutating func type(_ node: JSONNode) -> TypeNode? {
        guard var current = node["type"] else {
            report("a 'type' is missing here", node)
            return nil
        }
        var wrappers: [(isList: Bool, span: Span)] = []
        while let inner = present(current, "ofType") {
            switch string(current, "kind") {
            case "LIST": wrappers.append((true, current.span))
            case "NON_NULL": wrappers.append((false, current.span))
            default:
                report("a type around another must be 'LIST' or 'NON_NULL'", current)
                return nil
            }
            guard wrappers.count <= Self.typeDepthLimit else { return nil }
            current = inner
        }
        guard let name = name(current) else { return nil }
        var type = TypeNode.named(name)
        for wrapper in wrappers.reversed() {
            let span = Uncompared(wrappedValue: wrapper.span)
            if wrapper.isList {
                type = .list(type, span: span)
            } else if case .nonNull = type {
                report("a non-null type cannot be non-null once more", node)
            } else {
                type = .nonNull(type, span: span)
            }
        }
        return type
    }

    /// A default is GraphQL in a string.
    private mutating func defaultValue(_ node: JSONNode) -> Value? {
        guard let text = string(node, "defaultValue"), let place = node["defaultValue"] else { return nil }
        let file = SourceFile(id: source, path: "", bytes: Array("input I { a: A = \(text) }".utf8))
        let (document, found) = Parser.parseDocument(file)
        guard !found.hasErrors, case .type(let definition)? = document.definitions.first,
            document.definitions.count == 1, case .inputObject(let fields) = definition.body, fields.count == 1
        else {
            report("the default '\(text)' is no GraphQL value", place)
            return nil
        }
        return fields[0].defaultValue
    }

    private mutating func deprecation(_ node: JSONNode) -> [Directive] {
        guard node["isDeprecated"]?.value == .boolean(true) else { return [] }
        let reason = string(node, "deprecationReason").map { ["reason": Value.string(StringValue($0))] }
        return [Self.directive("deprecated", reason ?? [:])]
    }

    private static func directive(_ name: String, _ arguments: [String: Value]) -> Directive {
        Directive(
            name: Name(name),
            arguments: arguments.sorted { $0.key < $1.key }.map { Argument(name: Name($0.key), value: $0.value) }
        )
    }

    private mutating func names(_ node: JSONNode, _ key: String) -> [Name] {
        list(node, key).compactMap { name($0) }
    }

    private mutating func description(_ node: JSONNode) -> StringValue? {
        string(node, "description").map { StringValue($0, isBlock: true) }
    }

    // MARK: - JSON

    /// The `name` of an object, which must be one in GraphQL.
    private mutating func name(_ node: JSONNode) -> Name? {
        guard let place = present(node, "name") else {
            report("a 'name' is missing here", node)
            return nil
        }
        guard let text = string(node, "name") else { return nil }
        let isName =
            text.utf8.first.map { !(0x30...0x39).contains($0) } ?? false
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
        guard isName else {
            report("'\(text)' is no name in GraphQL", place)
            return nil
        }
        return Name(text, span: place.span)
    }

    /// The value of a key unless it is missing or null.
    private func present(_ node: JSONNode, _ key: String) -> JSONNode? {
        guard let value = node[key], value.value != .null else { return nil }
        return value
    }

    private mutating func string(_ node: JSONNode, _ key: String) -> String? {
        guard let value = present(node, key) else { return nil }
        if case .string(let text) = value.value { return text }
        report("'\(key)' must be a string, not \(value.kind)", value)
        return nil
    }

    private mutating func list(_ node: JSONNode, _ key: String) -> [JSONNode] {
        guard let value = present(node, key) else { return [] }
        if case .array(let items) = value.value { return items }
        report("'\(key)' must be a list, not \(value.kind)", value)
        return []
    }

    private mutating func report(_ message: String, _ node: JSONNode) {
        let start = node.span.start
        // A whole object is shown by its first character.
        let isLarge = node.span.end - start > 80
        let span = isLarge ? Span(source: node.span.source, start: start, end: start + 1) : node.span
        diagnostics.append(Diagnostic(.introspection, message, at: span))
    }
}
