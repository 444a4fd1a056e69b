import BatonIR
import BatonSchema
import BatonSyntax
import BatonTransforms

// The initializer with a value for each item of a set, for results that an application makes.
//
// The members of a struct are not stored. The initializer passes the value of each item to the runtime, with the
// positions that lead to the set. The runtime makes a row of these values.

extension SelectionsGenerator {
    /// The initializer of a struct. `place` has the positions of the items that lead to its set; `names` has the names
    /// of its properties and `types` those of its nested structs, by position.
    mutating func initializer(
        _ plan: SelectionPlan, at place: [Int], names: [String], types: [String?]
    ) -> SwiftDeclaration {
        // A parameter would hide a fragment's type of the same name, such as '_2Rows_film'.
        let fragments = plan.items.compactMap { item in
            if case .spread(let spread) = item { self.names.fragment(spread.fragment) } else { nil }
        }
        var scope = NameScope(reserved: ReservedNames.selectionProperties, Set(names), Set(fragments))
        var parameters: [SwiftParameter] = []
        var items: [SwiftArgument] = []
        for (position, item) in plan.items.enumerated() {
            switch item {
            case .field(let field):
                let (type, isRequired) = propertyType(field, types[position])
                parameters.append(Self.parameter(names[position], type, isRequired: isRequired))
                items.append(SwiftArgument(nil, made(field, names[position], isObject: types[position] != nil)))
            case .inline(let inline):
                guard let type = types[position] else { continue }
                let name = SwiftExpression.name(names[position])
                if inline.catches == .result {
                    parameters.append(
                        Self.parameter(names[position], propertyType(inline, type), isRequired: true))
                    items.append(SwiftArgument(nil, Self.result(name, Self.made("object", .closureArgument))))
                } else {
                    parameters.append(Self.parameter(names[position], .named(type), isRequired: inline.isRequired))
                    items.append(SwiftArgument(nil, Self.made("object", name)))
                }
            case .spread(let spread):
                let fragment = self.names.fragment(spread.fragment)
                let name = scope.claim(spread.alias ?? SwiftName.lowercasingFirst(fragment))
                let isAlways = spread.typeCondition == nil && spread.condition.isAlways
                parameters.append(Self.parameter(name, .named(fragment + ".Data"), isRequired: false))
                let value = SwiftExpression.call(
                    .member(nil, isAlways ? "fragment" : "optionalFragment"),
                    [SwiftArgument(nil, .metatype(.named(fragment))), SwiftArgument(nil, .name(name))]
                )
                items.append(SwiftArgument(nil, value))
            }
        }
        var arguments = [SwiftArgument("__made", .member(.name(definition), "artifact"))]
        if !place.isEmpty { arguments.append(SwiftArgument("at", .array(place.map { .integer($0) }))) }
        if plan.type.isAbstract {
            parameters.insert(Self.parameter("__typename", .named("String"), isRequired: false), at: 0)
            arguments.append(SwiftArgument("typename", .name("__typename")))
        } else if place.isEmpty, isRoot(plan.type) {
            arguments.append(SwiftArgument("typename", .member(.name("GeneratedCode"), "rootTypename")))
        }
        return .function(
            SwiftFunction(
                SwiftHead(modifiers: options.modifiers),
                .initializer,
                parameters,
                body: [.expression(Self.call(arguments + items, levels: place.count + 3))]
            )
        )
    }

    /// The call of the other initializer, on one line if it fits.
    private static func call(_ arguments: [SwiftArgument], levels: Int) -> SwiftExpression {
        let line = SwiftExpression.call(.name("self.init"), arguments)
        if 4 * levels + width(line) <= 120 { return line }
        return .call(.name("self.init"), arguments, layout: .block)
    }

    /// The length of an expression of an initializer on one line.
    private static func width(_ expression: SwiftExpression) -> Int {
        switch expression {
        case .name(let name): name.utf8.count + 2
        case .integer: 2
        case .member(let base, let name): (base.map(width) ?? 0) + 1 + name.utf8.count
        case .metatype(.named(let name)): name.utf8.count + 5
        case .array(let items): items.reduce(2) { $0 + width($1) + 2 }
        case .closure(let body): width(body) + 4
        case .call(let function, let arguments, _):
            arguments.reduce(width(function) + 2) { $0 + ($1.label?.utf8.count ?? 0) + 2 + width($1.value) + 2 }
        default: 120
        }
    }

    /// Whether the type is a root type of operations.
    func isRoot(_ type: SchemaType) -> Bool {
        [OperationKind.query, .mutation, .subscription].contains { leaves.schema.rootType(for: $0)?.id == type.id }
    }

    private static func parameter(_ name: String, _ type: SwiftType, isRequired: Bool) -> SwiftParameter {
        isRequired
            ? SwiftParameter(name, type) : SwiftParameter(name, .optional(type), defaultValue: SwiftExpression.nil)
    }

    /// An expression such as `.leaf(title)`.
    private static func made(_ kind: String, _ value: SwiftExpression) -> SwiftExpression {
        .call(.member(nil, kind), [SwiftArgument(nil, value)])
    }

    private func made(_ field: SelectionPlan.Field, _ name: String, isObject: Bool) -> SwiftExpression {
        guard field.nullability.catches == .result else { return made(field, .name(name), isObject: isObject) }
        return Self.result(.name(name), made(field, .closureArgument, isObject: isObject))
    }

    /// An expression such as `.result(name) { .leaf($0) }`.
    private static func result(_ value: SwiftExpression, _ inner: SwiftExpression) -> SwiftExpression {
        .call(
            .member(nil, "result"),
            [SwiftArgument(nil, value), SwiftArgument(nil, .closure(inner), isTrailing: true)]
        )
    }

    private func made(_ field: SelectionPlan.Field, _ value: SwiftExpression, isObject: Bool) -> SwiftExpression {
        let reference = field.type
        if isObject { return Self.made(reference.isList ? "objects" : "object", value) }
        guard case .mapped(_, let mapping) = leaves.leaf(reference) else { return Self.made("leaf", value) }
        return made(reference, mapping, value)
    }

    /// An expression such as `.list(dates) { .scalar($0, FilmDate.self) }`.
    private func made(
        _ reference: TypeReference, _ mapping: ScalarMapping, _ value: SwiftExpression
    ) -> SwiftExpression {
        guard let item = reference.item else {
            return .call(
                .member(nil, "scalar"),
                [SwiftArgument(nil, value), SwiftArgument(nil, .metatype(.named(mapping.conversionType)))]
            )
        }
        let inner = made(item, mapping, .closureArgument)
        return .call(
            .member(nil, "list"),
            [SwiftArgument(nil, value), SwiftArgument(nil, .closure(inner), isTrailing: true)]
        )
    }
}
