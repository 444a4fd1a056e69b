import Baton
import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// The parent value of root fields in a service without a root value.
struct EmptyRoot: Sendable {}

/// The values of the fields that have no resolver, in place of the members of their parents.
protocol LocalValues: Sendable {
    /// The value of a field of an object, in a form that a resolver can return.
    func value(
        of field: SchemaField, on type: SchemaType, _ source: Any, _ arguments: LocalArguments,
        at path: [JSONValue.PathComponent]
    ) throws -> Any?
}

/// Executes one operation once, on one thread.
///
/// What arrives later is noted while an object is executed, and executed by `finish` when the caller asks for it.
///
/// Specification: https://spec.graphql.org/September2025/#sec-Execution
final class Execution {
    private let schema: Schema
    private let resolvers: ResolverTable
    private let values: (any LocalValues)?
    private let collector: FieldCollector
    private let operationName: String?
    private let limits: LocalService.Limits
    private var path: [JSONValue.PathComponent] = []
    private var depth = 0
    private var fieldCount = 0
    /// The errors of fields in the order in which they occurred.
    private(set) var problems: [RequestProblem] = []
    /// The parts that the current part has found, and that arrive later.
    private var found: [LaterPart] = []
    /// The lists whose items arrive later, which no other part sends so.
    private var streamed: Set<[JSONValue.PathComponent]> = []

    /// The reason why a field has no value.
    private enum Failure: Error {
        /// An error of the current path that is not in `problems` yet.
        case problem(RequestProblem)
        /// An error that is in `problems` already, and that makes the parent null.
        case propagation
        /// The response has more fields than the limits allow.
        case overrun
    }

    init(
        schema: Schema,
        resolvers: ResolverTable,
        values: (any LocalValues)? = nil,
        fragments: [String: FragmentDefinition],
        variables: VariableValues,
        operationName: String?,
        limits: LocalService.Limits,
        isIncremental: Bool = false
    ) {
        self.schema = schema
        self.resolvers = resolvers
        self.values = values
        self.operationName = operationName
        self.limits = limits
        collector = FieldCollector(
            schema: schema,
            resolvers: resolvers,
            fragments: fragments,
            variables: variables.values,
            isIncremental: isIncremental
        )
    }

    /// Returns the `data` of the response: an object, or null if an error has reached the root.
    ///
    /// Fields run one after the other in the order of the document, as the specification requires for mutations.
    func run(_ selectionSet: SelectionSet, on type: SchemaType, root: Any) throws(RequestProblems) -> JSONValue {
        do throws(Failure) {
            return try object(collector.collect([selectionSet], on: type), on: type, root)
        } catch .overrun {
            throw RequestProblems("The operation asks for more than \(limits.fields) fields.", at: [selectionSet.span])
        } catch {
            found = []
            return .null
        }
    }

    /// The parts that were found since the last call.
    func takeFound() -> [LaterPart] {
        defer { found = [] }
        return found
    }

    /// Executes a fragment that arrives later; nil if an error has reached the fragment.
    func finish(_ part: LaterPart, _ fragment: LaterPart.Fragment) -> JSONValue? {
        later(part) { () throws(Failure) in
            try object(
                collector.collect([fragment.selectionSet], on: fragment.type), on: fragment.type, fragment.source)
        }
    }

    /// Completes an item that arrives later; nil if an error has reached the list.
    func finish(_ part: LaterPart, _ items: LaterPart.Items, _ index: Int) -> JSONValue? {
        later(part) { () throws(Failure) in
            path.append(.index(index))
            return try orNull(items.type, items.field) { () throws(Failure) in
                try self.complete(items.values[index], items.type, items.field)
            }
        }
    }

    private func later(_ part: LaterPart, _ value: () throws(Failure) -> JSONValue) -> JSONValue? {
        path = part.path
        depth = part.depth
        do throws(Failure) {
            return try value()
        } catch {
            if case .overrun = error {
                problems.append(RequestProblem("The operation asks for more than \(limits.fields) fields.", at: []))
            }
            found = []
            return nil
        }
    }

    /// The arguments of the first field of a selection set; nil if there is none, or if they are wrong.
    func arguments(of selectionSet: SelectionSet, on type: SchemaType) -> LocalArguments? {
        collector.collect([selectionSet], on: type).fields.first.flatMap { try? $0.arguments.get() }
    }

    /// The name of the first field of a selection set.
    func firstField(of selectionSet: SelectionSet, on type: SchemaType) -> String? {
        collector.collect([selectionSet], on: type).fields.first?.definition.name
    }

    /// Specification: https://spec.graphql.org/September2025/#sec-Executing-Selection-Sets
    private func object(_ collected: CollectedFields, on type: SchemaType, _ source: Any) throws(Failure) -> JSONValue {
        for fragment in collected.deferred {
            let content = LaterPart.Fragment(selectionSet: fragment.selectionSet, type: type, source: source)
            found.append(LaterPart(label: fragment.label, path: path, depth: depth, content: .fragment(content)))
        }
        var members: [JSONValue.Member] = []
        members.reserveCapacity(collected.fields.count)
        for field in collected.fields {
            fieldCount += 1
            guard fieldCount <= limits.fields else { throw .overrun }
            members.append(.init(field.responseKey, try value(of: field, source)))
        }
        return .object(members)
    }

    /// Specification: https://spec.graphql.org/September2025/#sec-Executing-Fields
    private func value(of field: FieldPlan, _ source: Any) throws(Failure) -> JSONValue {
        if field.definition.name == "__typename" { return .string(field.parent.name) }
        path.append(.key(field.responseKey))
        defer { path.removeLast() }
        return try orNull(field.definition.type, field) { () throws(Failure) in
            try self.complete(try self.resolve(field, source), field.definition.type, field)
        }
    }

    private func resolve(_ field: FieldPlan, _ source: Any) throws(Failure) -> Any? {
        let arguments: LocalArguments
        switch field.arguments {
        case .success(let coerced): arguments = coerced
        case .failure(let problem): throw .problem(problem)
        }
        let name = field.definition.name
        guard let resolver = field.resolver else {
            if let values {
                do {
                    return try values.value(of: field.definition, on: field.parent, source, arguments, at: path)
                } catch {
                    throw failure(error, field)
                }
            }
            guard case .value(let value) = ResolvedValue.field(name, of: source) else {
                let place = source is EmptyRoot ? "" : ", and \(Swift.type(of: source)) has no property of that name"
                throw problem("There is no resolver for '\(field.parent.name).\(name)'\(place).", field)
            }
            return value
        }
        let context = LocalFieldContext(
            arguments: arguments,
            typeName: field.parent.name,
            fieldName: name,
            operationName: operationName
        )
        do {
            return try resolver(source, context)
        } catch {
            throw failure(error, field)
        }
    }

    /// Turns an error into null if the type is nullable, and otherwise passes it to the parent.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Handling-Execution-Errors
    private func orNull(_ type: TypeReference, _ field: FieldPlan, _ value: () throws(Failure) -> JSONValue)
        throws(Failure)
        -> JSONValue
    {
        do throws(Failure) {
            return try value()
        } catch {
            switch error {
            case .overrun: throw error
            case .propagation: break
            case .problem(var problem):
                problem.path = path
                problems.append(problem)
            }
            if type.isNonNull { throw .propagation }
            // Nothing arrives later below a null.
            if !found.isEmpty { found.removeAll { $0.path.starts(with: path) } }
            return .null
        }
    }

    /// Specification: https://spec.graphql.org/September2025/#CompleteValue()
    private func complete(_ resolved: Any?, _ type: TypeReference, _ field: FieldPlan) throws(Failure) -> JSONValue {
        guard let value = ResolvedValue.unwrap(resolved) else {
            guard type.isNonNull else { return .null }
            throw problem(
                "Cannot return null for non-nullable field \(field.parent.name).\(field.definition.name).",
                field
            )
        }
        if let error = value as? LocalError { throw failure(error, field) }
        if let item = type.item { return try list(value, of: item, field) }
        let named = schema.namedType(of: type)
        if named.isLeaf {
            do throws(LocalError) {
                return try resolvers.serialize(value, as: named)
            } catch {
                throw failure(error, field)
            }
        }
        guard depth < limits.depth else {
            throw problem("The response is nested more than \(limits.depth) levels deep.", field)
        }
        depth += 1
        defer { depth -= 1 }
        let (source, statedType) = ResolvedValue.object(value)
        let object = named.isAbstract ? try objectType(of: source, statedType, for: named, field) : named
        return try self.object(collector.subfields(of: field, on: object), on: object, source)
    }

    private func list(_ value: Any, of item: TypeReference, _ field: FieldPlan) throws(Failure) -> JSONValue {
        guard let items = ResolvedValue.items(of: value) else {
            throw problem(
                "Expected a list for field \(field.parent.name).\(field.definition.name), but got \(Swift.type(of: value)).",
                field
            )
        }
        var values: [JSONValue] = []
        values.reserveCapacity(items.count)
        let count = countAtOnce(items, item, field)
        for (index, element) in items.prefix(count).enumerated() {
            path.append(.index(index))
            defer { path.removeLast() }
            values.append(
                try orNull(item, field) { () throws(Failure) in try self.complete(element, item, field) }
            )
        }
        return .array(values)
    }

    /// The number of items that are completed at once. The others are noted as a part that arrives later.
    private func countAtOnce(_ items: [Any], _ type: TypeReference, _ field: FieldPlan) -> Int {
        // The lists inside a list come whole.
        guard let stream = field.stream, case .key = path.last, stream.initialCount < items.count,
            streamed.insert(path).inserted
        else { return items.count }
        let content = LaterPart.Items(values: items, start: stream.initialCount, type: type, field: field)
        found.append(LaterPart(label: stream.label, path: path, depth: depth, content: .items(content)))
        return stream.initialCount
    }

    /// Specification: https://spec.graphql.org/September2025/#ResolveAbstractType()
    private func objectType(of source: Any, _ stated: String?, for type: SchemaType, _ field: FieldPlan)
        throws(Failure) -> SchemaType
    {
        let name: String?
        do {
            name = try stated ?? resolvers.typeName(of: source, for: type, schema)
        } catch {
            throw failure(error, field)
        }
        guard let name else {
            throw problem(
                "Abstract type \"\(type.name)\" must resolve to an object type for field \(field.parent.name)."
                    + "\(field.definition.name), but nothing says what a \(Swift.type(of: source)) is.",
                field
            )
        }
        guard let object = schema.type(named: name), schema.isPossible(object, for: type) else {
            throw problem("\"\(name)\" is not a possible type for \"\(type.name)\".", field)
        }
        return object
    }

    private func problem(_ message: String, _ field: FieldPlan) -> Failure {
        .problem(RequestProblem(message, at: field.spans))
    }

    private func failure(_ error: any Error, _ field: FieldPlan) -> Failure {
        let extensions = (error as? LocalError)?.extensions ?? []
        return .problem(RequestProblem(String(describing: error), at: field.spans, extensions: extensions))
    }
}
