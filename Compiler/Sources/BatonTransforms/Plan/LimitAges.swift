import BatonIR
import BatonSchema
import BatonSyntax

/// Adds age limits to the fields of a normalization plan, and the limit of its query to the plan.
///
/// A limit of an interface or union applies to all of its object types; the smallest limit counts. If a field is
/// selected on an interface and an object type has a smaller limit, the field is selected on this type as well. The
/// `id` of an object has no age limit.
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
/// Runs after `SkipRedundant`, which would remove the second selection.
package struct LimitAges: Sendable {
    private let limits: AgeLimits
    private let schema: Schema
    private var known: [TypeID: Limits] = [:]

    /// The limits of the objects of one type.
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

    /// Adds limits to the plan of an operation. The depth limit of `Flatten` bounds the recursion.
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
                if ages(field) { field.maxAge = own.limit(of: field.definition.name) }
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

    private func ages(_ field: SelectionPlan.Field) -> Bool {
        field.definition.name != schema.names.nodeInterfaceIDField || !field.arguments.isEmpty
    }

    /// Selects fields again on each object type with a smaller limit for these fields.
    private mutating func addStricter(to plan: inout SelectionPlan, _ own: Limits) {
        let fields = plan.fields.filter(ages)
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

    /// The limits of all objects of a type: its own limits, and those of its interfaces and unions.
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
