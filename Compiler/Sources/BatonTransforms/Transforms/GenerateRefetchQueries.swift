import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

/// Generates the query of each fragment with `@refetchable`, and adds the `id` by which the query finds the object.
///
/// Before, where `Film` implements `Node`:
///
///     fragment Film_film on Film @refetchable(queryName: "FilmRefetchQuery")
///       @argumentDefinitions(size: {type: "Int", defaultValue: 3}) { actors(first: $size) { name } poster(of: $kind) }
///
/// After:
///
///     fragment Film_film on Film ... { actors(first: $size) { name } poster(of: $kind) id }
///     query FilmRefetchQuery($kind: Kind, $size: Int = 3, $id: ID!) {
///       node(id: $id) { ...Film_film @arguments(size: $size) }
///     }
///
/// A fragment on the query type is spread at the root, and one on `Viewer` under `viewer`. One on a type with
/// `@fetchable` is spread under the type's `fetch__Type`. `CheckRefetchable` ensures that one of these is possible.
///
/// Reference: https://relay.dev/docs/api-reference/graphql/graphql-directives/#refetchable
struct GenerateRefetchQueries {
    private let schema: Schema
    private var types: VariableTypes

    private init(_ program: Program) {
        schema = program.schema
        types = VariableTypes(program)
    }

    private init(_ schema: Schema) {
        self.init(Program(schema: schema, operations: [], fragments: []))
    }

    static func apply(to program: Program) -> Program {
        guard program.fragments.contains(where: { $0.directives.named("refetchable") != nil }) else { return program }
        var transform = GenerateRefetchQueries(program)
        let queries = program.fragments.compactMap { transform.query(of: $0) }
        return Program(
            schema: program.schema, operations: program.operations + queries, fragments: program.fragments)
    }

    /// Adds the identifier to the fragments whose objects are found by one, for texts and normalization plans. Swift
    /// does not show this identifier.
    static func identified(_ program: Program) -> Program {
        let transform = GenerateRefetchQueries(program)
        guard let queryType = program.schema.queryType else { return program }
        let fragments = program.fragments.map { fragment in
            guard let directive = fragment.directives.named("refetchable"),
                let name = transform.route(to: fragment.type, directive, on: queryType)?.identifyingField
            else { return fragment }
            var fragment = fragment
            transform.addIdentifier(name, to: &fragment)
            return fragment
        }
        return Program(schema: program.schema, operations: program.operations, fragments: fragments)
    }

    /// Whether a query leads to the objects of a fragment.
    static func reaches(_ fragment: Fragment, _ directive: Directive, in schema: Schema) -> Bool {
        guard let queryType = schema.queryType else { return true }
        return Self(schema).route(to: fragment.type, directive, on: queryType) != nil
    }

    /// The metadata of a fragment's query for the runtime, without the connection; nil if there is no such query.
    static func metadata(of fragment: Fragment, in schema: Schema) -> RefetchMetadata? {
        guard let directive = fragment.directives.named("refetchable"), let name = fragment.refetchQueryName,
            let queryType = schema.queryType,
            let route = Self(schema).route(to: fragment.type, directive, on: queryType)
        else { return nil }
        return RefetchMetadata(
            query: name, path: route.field.map { [$0.name] } ?? [],
            identifier: route.identifyingField.map { .init(field: $0, variable: schema.names.nodeInterfaceIDVariable) })
    }

    /// The variable of a query that takes the identifier of the object.
    private var identifyingVariable: String { schema.names.nodeInterfaceIDVariable }

    /// The way from the query type to the fragment.
    private struct Route {
        let field: SchemaField?
        /// The argument that takes the identifier of the object.
        let identifier: SchemaInputValue?
        /// The field of the object whose value is passed to that argument.
        let identifyingField: String?

        static let root = Route(field: nil, identifier: nil, identifyingField: nil)
    }

    private mutating func query(of fragment: Fragment) -> Operation? {
        guard let directive = fragment.directives.named("refetchable"), let name = fragment.refetchQueryName,
            let queryType = schema.queryType,
            let route = route(to: fragment.type, directive, on: queryType)
        else { return nil }
        var variables = types.variables(of: fragment).map { name, type in
            OperationVariable(
                name: name, type: type, defaultValue: nil, directives: [], description: nil, span: fragment.span)
        }
        let own = fragment.arguments.filter { $0.provider == nil }
        variables += own.map { argument in
            OperationVariable(
                name: argument.name, type: argument.type, defaultValue: argument.defaultValue, directives: [],
                description: nil, span: argument.span)
        }
        variables.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        let passed = own.map { Argument(name: Name($0.name), value: .variable(Variable($0.name))) }
            .sorted { $0.name.text.utf8.lexicographicallyPrecedes($1.name.text.utf8) }
        let spread = TypedSelection.spread(
            TypedSpread(
                fragment: fragment.name,
                directives: passed.isEmpty ? [] : [Directive(name: Name("arguments"), arguments: passed)],
                span: fragment.span))
        var selections = [spread]
        if let field = route.field {
            var arguments: [Argument] = []
            if let identifier = route.identifier {
                let variable = identifyingVariable
                arguments = [
                    Argument(name: Name(identifier.name), value: .variable(Variable(variable)))
                ]
                variables.append(
                    OperationVariable(
                        name: variable, type: identifier.type.required ?? identifier.type,
                        defaultValue: nil,
                        directives: [], description: "The identifier of the object.", span: fragment.span))
            }
            selections = [
                .field(
                    TypedField(
                        responseKey: field.name, definition: field, arguments: arguments, selections: selections,
                        span: fragment.span))
            ]
        }
        return Operation(
            name: name, kind: .query, type: queryType, variables: variables, directives: directives(directive),
            selections: selections, description: nil, path: fragment.path, span: fragment.span)
    }

    private func route(to type: SchemaType, _ directive: Directive, on query: SchemaType) -> Route? {
        if type.name == "Viewer", let field = query.field(named: "viewer"),
            field.type.nullable == TypeReference(type.id)
        {
            return Route(field: field, identifier: nil, identifyingField: nil)
        }
        if type === query { return .root }
        var prefersFetchable = false
        if case .boolean(let value)? = directive.argument("preferFetchable") { prefersFetchable = value.isTrue }
        let routes = [nodeRoute(to: type, on: query), fetchRoute(to: type, on: query)].compactMap(\.self)
        return prefersFetchable ? routes.last : routes.first
    }

    private func nodeRoute(to type: SchemaType, on query: SchemaType) -> Route? {
        guard let node = schema.nodeInterface, let field = query.field(named: schema.names.nodeField),
            let identifier = field.arguments.first(where: { $0.name == schema.names.nodeInterfaceIDVariable })
        else { return nil }
        let objects = schema.possibleTypes(of: type)
        let isNode = type === node || schema.implements(type, node)
        guard isNode || type.isAbstract && !objects.isEmpty && objects.allSatisfy({ schema.implements($0, node) })
        else { return nil }
        return Route(field: field, identifier: identifier, identifyingField: schema.names.nodeInterfaceIDField)
    }

    private func fetchRoute(to type: SchemaType, on query: SchemaType) -> Route? {
        guard let directive = type.directives.named("fetchable"),
            let field = query.field(named: "fetch__" + type.name), let identifier = field.arguments.first
        else { return nil }
        var name = "id"
        if case .string(let value)? = directive.argument("field_name") { name = value.text }
        // The object cannot be identified without the field.
        guard type.field(named: name) != nil else { return nil }
        return Route(field: field, identifier: identifier, identifyingField: name)
    }

    /// Adds the field that identifies the object, unless the fragment has a field with that response key.
    private func addIdentifier(_ name: String, to fragment: inout Fragment) {
        let hasID = fragment.selections.contains { selection in
            if case .field(let field) = selection {
                field.responseKey == name && !field.directives.haveConditions
            } else {
                false
            }
        }
        if hasID { return }
        if let definition = fragment.type.field(named: name) {
            fragment.selections.append(.field(TypedField(responseKey: name, definition: definition, isGenerated: true)))
        } else if let node = schema.nodeInterface, let definition = node.field(named: name) {
            let field = TypedField(responseKey: name, definition: definition, isGenerated: true)
            fragment.selections.append(.inlineFragment(.init(type: node, selections: [.field(field)])))
        }
    }

    /// The directives for the query in the argument `directives`, such as `"@cost(limit: 3)"`. `CheckRefetchable`
    /// checks them.
    private func directives(_ directive: Directive) -> [Directive] {
        directive.ofRefetchQuery.flatMap { $0.directives ?? [] }
    }
}

extension Directive {
    /// The strings of the argument `directives` of `@refetchable`, each with its directives; nil for a string with
    /// other text.
    var ofRefetchQuery: [(value: Value, directives: [Directive]?)] {
        let values: [Value]
        switch argument("directives") {
        case .list(let list): values = list.values
        case .some(let value) where !value.isNull: values = [value]
        default: values = []
        }
        return values.map { value in
            guard case .string(let text) = value else { return (value, nil) }
            return (value, Parser.parseDirectives(text.text))
        }
    }
}
