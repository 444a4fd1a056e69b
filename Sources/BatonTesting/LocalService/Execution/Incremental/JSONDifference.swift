import Baton

/// What a value has and an earlier value does not.
struct JSONDifference {
    /// The new members of the objects that have some; outer objects come first.
    private(set) var objects: [(path: [JSONValue.PathComponent], members: [JSONValue.Member])] = []
    /// Whether an error made a value null that the earlier value has.
    private(set) var isConflicting = false
    private var path: [JSONValue.PathComponent] = []

    /// Walks as deep as the response is nested, which the limits of the service bound.
    mutating func subtract(_ earlier: JSONValue?, from value: JSONValue) {
        switch (value, earlier) {
        case (.object(let members), .object(let known)):
            var new: [JSONValue.Member] = []
            var inner: [(JSONValue.Member, JSONValue)] = []
            for member in members {
                if let other = known.first(where: { $0.name == member.name }) {
                    inner.append((member, other.value))
                } else {
                    new.append(member)
                }
            }
            if !new.isEmpty { objects.append((path, new)) }
            for (member, other) in inner { descend(.key(member.name), other, member.value) }
        case (.array(let items), .array(let known)):
            for (index, (item, other)) in zip(items, known).enumerated() { descend(.index(index), other, item) }
        case (.null, .object), (.null, .array): isConflicting = true
        default: break
        }
    }

    private mutating func descend(_ component: JSONValue.PathComponent, _ earlier: JSONValue, _ value: JSONValue) {
        path.append(component)
        subtract(earlier, from: value)
        path.removeLast()
    }
}

extension JSONValue {
    /// The value at a path; nil if there is none.
    func value(at path: some Collection<PathComponent>) -> JSONValue? {
        var value = self
        for component in path {
            let inner =
                switch component {
                case .key(let key): value[key]
                case .index(let index): value[index]
                }
            guard let inner else { return nil }
            value = inner
        }
        return value
    }

    /// Adds the members of an object to the object at a path, and merges those that are there.
    mutating func merge(_ part: JSONValue, at path: some Collection<PathComponent>) {
        change(at: path[...]) { $0.merge(part) }
    }

    /// Adds an item to the list at a path.
    mutating func append(_ item: JSONValue, at path: some Collection<PathComponent>) {
        change(at: path[...]) { value in
            if case .array(let items) = value { value = .array(items + [item]) }
        }
    }

    private mutating func merge(_ part: JSONValue) {
        switch (self, part) {
        case (.object(var members), .object(let new)):
            for member in new {
                if let index = members.firstIndex(where: { $0.name == member.name }) {
                    members[index].value.merge(member.value)
                } else {
                    members.append(member)
                }
            }
            self = .object(members)
        case (.array(var items), .array(let new)):
            for index in items.indices where index < new.count { items[index].merge(new[index]) }
            self = .array(items)
        default: break
        }
    }

    private mutating func change(
        at path: some Collection<PathComponent>, _ body: (inout JSONValue) -> Void
    ) {
        guard let first = path.first else { return body(&self) }
        switch (self, first) {
        case (.object(var members), .key(let key)):
            guard let index = members.firstIndex(where: { $0.name == key }) else { return }
            members[index].value.change(at: Array(path.dropFirst()), body)
            self = .object(members)
        case (.array(var items), .index(let index)):
            guard items.indices.contains(index) else { return }
            items[index].change(at: Array(path.dropFirst()), body)
            self = .array(items)
        default: return
        }
    }
}
