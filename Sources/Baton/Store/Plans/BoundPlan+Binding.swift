extension BoundPlan {
    /// The use of a plan.
    enum Role: Sendable {
        /// Responses are written, checked and retained along the plan. A field with `@connection` or `@handle` has its
        /// own key.
        case normalization
        /// `Data` is read along the plan. A field with `@connection` or `@handle` has the key of the handler's copy,
        /// and `__id` is the record's data ID.
        case reader
    }

    /// Binds a plan. A malformed plan gives a bound plan that selects nothing and has a `failure`.
    static func bind(
        _ plan: Result<SelectionPlan, RelayError.InvalidResponse>, _ variables: VariableValues,
        _ scalars: [GeneratedCode.ScalarDecoder],
        _ names: NameTable, role: Role, component: String = "", on condition: String? = nil,
        arguments: FragmentArguments? = nil
    ) -> BoundPlan {
        // The hold keeps the numbers until the plan uses them.
        let hold = NumberHold(names)
        defer { withExtendedLifetime(hold) {} }
        var binder = PlanBinder(variables: variables, scalars: scalars, names: names, role: role)
        do throws(RelayError.InvalidResponse) {
            let plan = try plan.get()
            if role == .normalization || !component.isEmpty {
                let isFragment = role != .normalization
                names.withSpelling {
                    $0.note(plan, of: component, isFragment: isFragment, on: condition, scalars)
                }
            }
            try binder.bind(plan.items)
            return BoundPlan(
                nodes: binder.nodes, items: binder.items, responseKeys: binder.responseKeys, types: binder.types,
                failure: nil, names: names, marks: binder.marks, planMarks: plan.marks,
                component: component, scalars: scalars, arguments: arguments, passed: binder.passed)
        } catch {
            return BoundPlan(nodes: [.init()], items: [], responseKeys: [], types: [], failure: error, names: names)
        }
    }
}

private struct PlanBinder {
    let variables: VariableValues
    let scalars: [GeneratedCode.ScalarDecoder]
    let names: NameTable
    let role: BoundPlan.Role
    var nodes: [BoundPlan.Node] = []
    var items: [BoundPlan.Item] = []
    var responseKeys: [String] = []
    var types: [BoundType] = []
    var marks: [Int: BoundMarks] = [:]
    var passed: [Int: FragmentArguments] = [:]

    static let noType = BoundType(leaf: .text, listDepth: 0, nonNull: 0, text: "")

    /// The recursion is bounded by the depth that the decoder of plans allows.
    @discardableResult
    mutating func bind(_ selections: [SelectionPlan.Item]) throws(RelayError.InvalidResponse) -> UInt32 {
        let node = nodes.count
        let first = items.count
        nodes.append(.init(first: first, count: selections.count))
        for _ in selections {
            items.append(.init(kind: .excluded))
            responseKeys.append("")
            types.append(Self.noType)
        }
        var keys: Set<StorageKeyID> = []
        for (offset, selection) in selections.enumerated() {
            let index = first + offset
            if let condition = selection.condition, !variables.holds(condition) { continue }
            switch selection.kind {
            case .field(let field):
                let type = try bind(field.type)
                let marks = mark(selection.marks, at: index, of: field)
                if role == .reader, field.name == SelectionPlan.Field.dataID {
                    responseKeys[index] = field.responseKey
                    types[index] = type
                    items[index] = .init(kind: .dataID, marks: marks)
                    continue
                }
                var key = names.key(variables.storageKey(field))
                if role == .reader, let handle = self.marks[index]?.handle { key = handle.storageKey }
                keys.insert(key)
                responseKeys[index] = field.responseKey
                types[index] = type
                let isRequired = marks.contains(.required) || selection.condition == nil && type.isNonNull(0)
                items[index] = .init(kind: .leaf, key: key, isRequired: isRequired, marks: marks)
                if case .object = type.leaf {
                    items[index].kind = .composite
                    items[index].child = try bind(field.selections)
                }
            case .inline(let condition, let selections):
                items[index] = .init(
                    kind: .inline, condition: condition.map { names.type($0.type) },
                    isAbstract: condition?.isAbstract ?? false,
                    isRequired: selection.marks.isRequiredSet && selection.condition == nil,
                    marks: mark(selection.marks, at: index, of: nil))
                items[index].child = try bind(selections)
            case .spread(_, let arguments, let condition):
                passed[index] = variables.passed(arguments)
                items[index] = .init(
                    kind: .spread, condition: condition.map { names.type($0.type) },
                    isAbstract: condition?.isAbstract ?? false,
                    marks: mark(selection.marks, at: index, of: nil))
            }
        }
        nodes[node].hasObjects = items[first..<first + selections.count].contains { $0.child != .max }
        nodes[node].keys = keys.sorted()
        nodes[node].keyBits = keys.reduce(0) { $0 | $1.bit }
        return UInt32(truncatingIfNeeded: node)
    }

    /// Binds and keeps the marks of an item; returns the kinds of marks that apply with these variables.
    private mutating func mark(
        _ marks: SelectionPlan.Marks, at index: Int, of field: SelectionPlan.Field?
    ) -> MarkSet {
        guard !marks.isEmpty else { return [] }
        let bound = BoundMarks(marks, of: field, variables, names)
        self.marks[index] = bound
        return bound.set
    }

    private func bind(_ type: SelectionPlan.FieldType) throws(RelayError.InvalidResponse) -> BoundType {
        var current = type
        var level = 0
        var nonNull: UInt64 = 0
        while true {
            switch current {
            case .nonNull(let inner):
                nonNull |= 1 << UInt64(level)
                current = inner
            case .list(let inner):
                level += 1
                current = inner
            case .named(let name):
                let (leaf, leafText) = try bind(name)
                return BoundType(leaf: leaf, listDepth: level, nonNull: nonNull, text: Self.text(of: type, leafText))
            }
        }
    }

    private static func text(of type: SelectionPlan.FieldType, _ leaf: String) -> String {
        switch type {
        case .named: leaf
        case .list(let inner): "[\(text(of: inner, leaf))]"
        case .nonNull(let inner): "\(text(of: inner, leaf))!"
        }
    }

    private func bind(_ name: SelectionPlan.NamedType) throws(RelayError.InvalidResponse) -> (BoundType.Leaf, String) {
        switch name {
        case .int: return (.int, "Int")
        case .float: return (.float, "Float")
        case .string: return (.text, "String")
        case .boolean: return (.boolean, "Boolean")
        case .id: return (.id, "ID")
        case .enumeration(let name): return (.text, name)
        case .unmappedScalar(let name): return (.unmapped, name)
        case .mappedScalar(let name):
            guard let position = scalars.firstIndex(where: { $0.name == name }) else {
                throw RelayError.InvalidResponse(.unusablePlan("no conversion for the scalar '\(name)'"))
            }
            return (.mapped(position), name)
        case .object(let name, let implementsNode):
            let type = names.type(name)
            let composite = BoundType.Composite(
                type: type, name: name, isAbstract: false, implementsNode: implementsNode, nodes: [])
            return (.object(composite), name)
        case .abstract(let name, let implementsNode, let nodes):
            let type = names.type(name)
            let composite = BoundType.Composite(
                type: type, name: name, isAbstract: true, implementsNode: implementsNode, nodes: nodes.map(names.type))
            return (.object(composite), name)
        }
    }
}
