import BatonTransforms

// The structs for large objects in lists: a struct with a reference to a row, and a struct with the row's properties.

extension SelectionsGenerator {
    /// Whether copying an object costs more than copying a reference to a row.
    static func isLarge(_ plan: SelectionPlan) -> Bool { size(of: plan, limit: 3) > 2 }

    /// The number of values that an object stores in place; counting stops at the limit.
    private static func size(of plan: SelectionPlan, limit: Int) -> Int {
        var size = plan.type.isAbstract ? 1 : 0
        for item in plan.items {
            if size >= limit { break }
            switch item {
            case .field(let field):
                if let inner = field.selections, !field.definition.type.isList {
                    size += self.size(of: inner, limit: limit - size)
                } else {
                    size += 1
                }
            case .inline(let inline): size += self.size(of: inline.selections, limit: limit - size)
            case .spread: size += 1
            }
        }
        return size
    }

    /// The row, and computed properties that read its fields.
    func rowDeclarations(_ content: Content, _ fields: String) -> [SwiftDeclaration] {
        let head = SwiftHead(modifiers: options.modifiers)
        let rowType = SwiftType.generic("GeneratedCode.Row", [.named(fields)])
        func inRow(_ name: String) -> [SwiftStatement] {
            [.expression(.member(.member(.name("__row"), "fields"), name))]
        }
        func property(_ head: SwiftHead, _ name: String, _ type: SwiftType) -> SwiftDeclaration {
            .variable(SwiftVariable(head, isConstant: false, name, type, getter: inRow(name)))
        }
        var result: [SwiftDeclaration] = [
            .variable(SwiftVariable(head, isConstant: true, "__row", rowType))
        ]
        if content.type.isAbstract {
            result.append(property(head, "__typename", .named("String")))
        } else {
            let name = [SwiftStatement.expression(.string(content.type.name))]
            result.append(
                .variable(SwiftVariable(head, isConstant: false, "__typename", .named("String"), getter: name)))
        }
        result += content.properties.map { property(self.head(of: $0), $0.name, $0.type) }
        if content.hasFragments { result.append(property(head, "fragments", .named("Fragments"))) }
        let row = SwiftParameter(label: .none, "row", rowType)
        let body = [SwiftStatement.assignment(.member(.selfReference, "__row"), .name("row"))]
        result.append(.function(SwiftFunction(head, .initializer, [row], body: body)))
        return result
    }

    /// The struct with the fields of a row.
    func fieldsStructure(_ name: String, _ content: Content) -> SwiftDeclaration {
        var members: [SwiftDeclaration] = []
        func store(_ name: String, _ type: SwiftType) {
            members.append(.variable(SwiftVariable(SwiftHead(), isConstant: true, name, type)))
        }
        if content.type.isAbstract { store("__typename", .named("String")) }
        for property in content.properties { store(property.name, property.type) }
        if content.hasFragments { store("fragments", .named("Fragments")) }
        members.append(initializer(content, storesAsNamed: true))
        return .type(
            SwiftTypeDeclaration(
                SwiftHead(modifiers: options.modifiers),
                .struct,
                name,
                [.named("GeneratedCode.Selections")],
                members: members
            )
        )
    }
}
