import BatonDiagnostics
import BatonSyntax

/// Converts the answer to an introspection query to a schema document, with positions in the JSON.
///
/// The text may be the object with `__schema`, this object under `data`, or the value of `__schema`. A missing part
/// counts as empty, because older servers leave parts out. A part of the wrong shape is reported and left out. Built-in
/// types and directives are skipped, because every schema has them.
///
/// Specification: https://spec.graphql.org/September2025/#sec-Schema-Introspection
struct IntrospectionReader {
    private let file: SourceFile
    var diagnostics: [Diagnostic] = []

    private static let builtInScalars: Set<String> = ["Boolean", "Float", "ID", "Int", "String"]
    private static let builtInDirectives: Set<String> = ["deprecated", "include", "oneOf", "skip", "specifiedBy"]
    private static let typeDepthLimit = 64

    /// Whether a text is JSON: no schema in SDL begins with a brace or a bracket.
    static func recognizes(_ file: SourceFile) -> Bool {
        let bytes = file.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? file.bytes[3...] : file.bytes[...]
        let first = bytes.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    static func read(_ file: SourceFile) -> (document: Document, diagnostics: [Diagnostic]) {
        let (node, found) = JSONParser.parse(file, syntaxID: .introspection, keyID: .introspection)
        var reader = IntrospectionReader(file: file, diagnostics: found)
        guard let node else { return (Document(definitions: [], span: file.span), found) }
        let definitions = reader.definitions(node)
        return (Document(definitions: definitions, span: file.span), reader.diagnostics.sortedByPosition())
    }

    private mutating func definitions(_ node: JSONNode) -> [Definition] {
        guard let schema = object(node["data"], "__schema") ?? object(node, "__schema") ?? bareSchema(node) else {
            reportMissingSchema(node)
            return []
        }
        if let errors = node["errors"], !list(node, "errors").isEmpty {
            warn("the answer has errors, so the schema may be incomplete\(firstMessage(errors))", errors)
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

    private func object(_ node: JSONNode?, _ key: String) -> JSONNode? {
        guard let value = node?[key], case .object = value.value else { return nil }
        return value
    }

    /// The node, if it is the value of `__schema`.
    private func bareSchema(_ node: JSONNode) -> JSONNode? {
        node["types"] != nil && node["queryType"] != nil ? node : nil
    }

    private mutating func reportMissingSchema(_ node: JSONNode) {
        guard let errors = node["errors"] else {
            let place = node["data"]?["__schema"] ?? node["__schema"] ?? node["data"] ?? node
            return report("there is no object '__schema' in this answer", place)
        }
        report("there is no '__schema' in this answer, but 'errors'\(firstMessage(errors))", errors)
    }

    /// The message of the first error in the answer.
    private func firstMessage(_ errors: JSONNode) -> String {
        guard case .array(let items) = errors.value, case .string(let text)? = items.first?["message"]?.value else {
            return ""
        }
        let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        return ": \(line.count > 120 ? line.prefix(120) + "..." : line)"
    }

    private mutating func schemaDefinition(_ node: JSONNode) -> SchemaDefinition {
        let kinds: [(OperationKind, String)] = [
            (.query, "queryType"), (.mutation, "mutationType"), (.subscription, "subscriptionType"),
        ]
        let roots = kinds.compactMap { kind, key in
            present(node, key).flatMap { name($0) }.map { RootOperationType(kind: kind, type: $0, span: $0.span) }
        }
        return SchemaDefinition(
            description: description(node),
            operationTypes: roots,
            span: node.span,
            keyword: short(node["queryType"]?.span ?? node.span)
        )
    }

    // MARK: - Types

    /// The definition of a type; nil for built-in types.
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
                    enumName(value).map { name in
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
        let before = diagnostics.count
        let locations = locations(node)
        if locations.isEmpty {
            if diagnostics.count > before { return nil }
            warn("the directive '@\(name.text)' has no locations", node["locations"] ?? node)
            return nil
        }
        return DirectiveDefinition(
            description: description(node),
            name: name,
            arguments: inputValues(node, "args"),
            directives: deprecation(node),
            isRepeatable: node["isRepeatable"]?.value == .boolean(true),
            locations: locations,
            span: node.span
        )
    }

    /// The `locations`. For older servers, the locations that correspond to `onOperation`, `onFragment` and `onField`.
    private mutating func locations(_ node: JSONNode) -> [DirectiveDefinition.Located] {
        guard present(node, "locations") != nil else {
            let old: [(String, [DirectiveLocation])] = [
                ("onOperation", [.query, .mutation, .subscription]),
                ("onFragment", [.fragmentDefinition, .fragmentSpread, .inlineFragment]),
                ("onField", [.field]),
            ]
            return old.flatMap { key, locations -> [DirectiveDefinition.Located] in
                guard let flag = node[key], flag.value == .boolean(true) else { return [] }
                return locations.map { .init($0, span: flag.span) }
            }
        }
        return list(node, "locations").compactMap { location in
            guard case .string(let text) = location.value else {
                report("a location must be a string, not \(location.kind)", location)
                return nil
            }
            guard let value = DirectiveLocation(rawValue: text) else {
                // A location that this compiler does not know cannot occur in documents.
                warn("unknown directive location '\(text)'", location)
                return nil
            }
            return .init(value, span: location.span)
        }
    }

    // MARK: - Parts

    /// The `type` of a field or input value: a name, with `LIST` and `NON_NULL` wrappers around it.
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
            guard wrappers.count <= Self.typeDepthLimit else {
                report("this type has more than \(Self.typeDepthLimit) lists and non-null marks", node)
                return nil
            }
            current = inner
        }
        if ["LIST", "NON_NULL"].contains(string(current, "kind")) {
            report(
                "this type is cut off: a type '\(string(current, "kind") ?? "")' must have another in 'ofType'",
                current,
                suggestion: "ask for more levels of 'ofType' in the introspection query"
            )
            return nil
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

    /// Parses a default value, which is GraphQL in a string. An unreadable default still makes the value optional.
    private mutating func defaultValue(_ node: JSONNode) -> Value? {
        guard let text = string(node, "defaultValue"), let place = node["defaultValue"] else { return nil }
        if let value = Parser.parseConstant(text, in: file.id) {
            return JSONStringOffsets(place, in: file).moved(value)
        }
        warn("the default '\(text.count > 60 ? text.prefix(60) + "..." : text)' is no GraphQL value", place)
        return .string(StringValue(text))
    }

    private mutating func deprecation(_ node: JSONNode) -> [Directive] {
        let isDeprecated = node["isDeprecated"]?.value == .boolean(true)
        guard isDeprecated || node["isDeprecated"] == nil && present(node, "deprecationReason") != nil else {
            return []
        }
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
}
