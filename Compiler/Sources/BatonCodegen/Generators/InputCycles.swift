import BatonSchema

/// Finds the fields through which an input object contains itself; a struct cannot contain itself.
package struct InputCycles: Sendable {
    /// The strongly connected component of each type: types of one component contain one another.
    private var component: [TypeID: Int] = [:]

    /// Runs Tarjan's algorithm without recursion over the fields that are not lists; the cost is linear in the fields.
    package init(schema: Schema, types: [SchemaType]) {
        var index: [TypeID: Int] = [:]
        var low: [TypeID: Int] = [:]
        var open: [TypeID] = []
        var isOpen: Set<TypeID> = []
        var components = 0

        func targets(_ id: TypeID) -> [TypeID] {
            schema[id].inputFields.filter { !$0.type.isList }.map(\.type.named)
                .filter { schema[$0].kind == .inputObject }
        }

        for root in types where index[root.id] == nil {
            var stack: [(id: TypeID, targets: [TypeID], next: Int)] = []
            func enter(_ id: TypeID) {
                index[id] = index.count
                low[id] = index[id]
                open.append(id)
                isOpen.insert(id)
                stack.append((id, targets(id), 0))
            }
            enter(root.id)
            while let top = stack.last {
                if top.next < top.targets.count {
                    stack[stack.count - 1].next += 1
                    let target = top.targets[top.next]
                    if index[target] == nil {
                        enter(target)
                    } else if isOpen.contains(target) {
                        low[top.id] = min(low[top.id] ?? 0, index[target] ?? 0)
                    }
                    continue
                }
                stack.removeLast()
                if let parent = stack.last { low[parent.id] = min(low[parent.id] ?? 0, low[top.id] ?? 0) }
                guard low[top.id] == index[top.id] else { continue }
                while let member = open.popLast() {
                    isOpen.remove(member)
                    component[member] = components
                    if member == top.id { break }
                }
                components += 1
            }
        }
    }

    /// Whether the type's struct would contain itself through a field.
    package func isRecursive(_ field: SchemaInputValue, of type: SchemaType) -> Bool {
        guard !field.type.isList, let own = component[type.id] else { return false }
        return component[field.type.named] == own
    }
}
