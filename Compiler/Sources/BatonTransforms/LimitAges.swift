import BatonIR
import BatonSchema
import BatonSyntax

/// How old data may become, in seconds, by the names of the schema and the documents.
package struct AgeLimits: Sendable, Hashable {
    /// By the name of the query.
    package var queries: [String: Int] = [:]
    /// By the name of an object type, interface or union: every field of it.
    package var types: [String: Int] = [:]
    /// By the names of the type and the field.
    package var fields: [String: [String: Int]] = [:]

    package init() {}

    package var isEmpty: Bool { queries.isEmpty && types.isEmpty && fields.isEmpty }
}

/// Gives each field of a normalization plan the limit of its age, and the plan that of its query.
///
/// A limit of an interface or union holds for all of its object types; the smallest limit counts. Where a field is
/// selected on an interface and some of its object types have a smaller limit, the field is selected once more on
/// those. The `id` of an object has no age.
///
/// Before, with `Film` limited to 60 seconds and `Droid.name` to 10:
///
///     { film { id title } hero { id name } }
///
/// After, in the notation of plans:
///
///     {film:+Film{id:ID! title:String!@maxAge(60)}
///      hero:+*Character{id:ID! name:String! <Droid>{name:String!@maxAge(10)}}}
///
/// Runs after `SkipRedundant`, which would take the second selection away.
package struct LimitAges {
    private let limits: AgeLimits
    private let schema: Schema
    private var known: [TypeID: Limits] = [:]

    /// What holds for the objects of one type.
    private struct Limits {
        var type: Int?
        var fields: [String: Int] = [:]

        func limit(of field: String) -> Int? {
            guard let own = fields[field] else { return type }
            return min(own, type ?? own)
        }

        mutating func add(type limit: Int?, fields limits: [String: Int]) {
            if let limit { type = min(type ?? limit, limit) }
            fields.merge(limits) { min($0, $1) }
        }
    }

    package init(_ limits: AgeLimits, schema: Schema) {
        self.limits = limits
        self.schema = schema
    }

    /// Limits a plan of an operation. Recursion is bounded by the depth limit of `Flatten`.
    package mutating func transform(_ plan: SelectionPlan, of operation: Operation) -> SelectionPlan {
        guard operation.kind == .query else { return plan }
        var result = transform(plan)
        result.maxAge = limits.queries[operation.name]
        return result
    }

    private mutating func transform(_ plan: SelectionPlan) -> SelectionPlan {
        var result = plan
        let own = limits(on: plan.type)
        for (index, item) in plan.items.enumerated() {
            switch item {
            case .field(var field):
                field.selections = field.selections.map { transform($0) }
                if Self.ages(field) { field.maxAge = own.limit(of: field.definition.name) }
                result.items[index] = .field(field)
            case .inline(var inline):
                inline.selections = transform(inline.selections)
                result.items[index] = .inline(inline)
            case .spread: break
            }
        }
        if plan.type.isAbstract { addStricter(to: &result, own) }
        return result
    }

    private static func ages(_ field: SelectionPlan.Field) -> Bool {
        field.definition.name != "id" || !field.arguments.isEmpty
    }

    /// Selects on each object type what has a smaller limit there.
    private mutating func addStricter(to plan: inout SelectionPlan, _ own: Limits) {
        let fields = plan.fields.filter(Self.ages)
        guard !fields.isEmpty else { return }
        for object in schema.possibleTypes(of: plan.type) {
            let limits = limits(on: object)
            let stricter = fields.compactMap { field -> SelectionPlan.Item? in
                guard let limit = limits.limit(of: field.definition.name) else { return nil }
                if let general = own.limit(of: field.definition.name), general <= limit { return nil }
                var field = field
                field.maxAge = limit
                field.selections = field.selections.map { SelectionPlan(type: $0.type) }
                return .field(field)
            }
            guard !stricter.isEmpty, let first = fields.first else { continue }
            plan.items.append(
                .inline(
                    .init(
                        type: object, condition: Condition.always,
                        selections: SelectionPlan(type: object, items: stricter),
                        span: first.span)))
        }
    }

    /// What holds for all objects of a type: its own limits, and those of the interfaces and unions that it belongs to.
    private mutating func limits(on type: SchemaType) -> Limits {
        if let known = known[type.id] { return known }
        var result = Limits()
        for name in Set(limits.types.keys).union(limits.fields.keys) {
            guard let other = schema.type(named: name),
                schema.isSubtype(type, of: other) || schema.implements(type, other)
            else { continue }
            result.add(type: limits.types[name], fields: limits.fields[name] ?? [:])
        }
        known[type.id] = result
        return result
    }
}
