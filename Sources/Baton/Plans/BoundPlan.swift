import Synchronization

/// A selection plan with its names interned in one store and its variables replaced by values; immutable.
///
/// Selection sets are numbered from the root, 0; their items lie side by side, so that a reader goes from integer to
/// integer.
final class BoundPlan: Sendable {
    /// A selection set.
    struct Node: Sendable {
        var first = 0
        var count = 0
        /// The keys of its own fields, sorted.
        var keys: [StorageKeyID] = []
        /// One bit for each key modulo 64: what shares no bit shares no key.
        var keyBits: UInt64 = 0
        /// Some of its items have selection sets.
        var hasObjects = false
    }

    /// An item of a selection set.
    struct Item: Sendable {
        enum Kind: UInt8, Sendable {
            /// A condition is false.
            case excluded
            case leaf
            case composite
            /// Without a condition it is of the parent's type.
            case inline
            case spread
        }

        var kind: Kind
        var key = StorageKeyID(index: .max)
        /// The selection set below.
        var child: UInt32 = .max
        /// The type that the record must have; nil if any.
        var condition: TypeID?
        var isAbstract = false
        /// What shows it has no value without it: it is not null, or required, under every condition.
        var isRequired = false
        /// Which marks it has; what they say is in `BoundPlan.marks`.
        var marks = MarkSet()
    }

    let nodes: [Node]
    let items: [Item]
    /// The response key of each item that is a field.
    let responseKeys: [String]
    let types: [BoundType]
    /// What the marks of items say, by the position of the item; nearly always empty.
    let marks: [Int: BoundMarks]
    /// What concerns the plan as a whole.
    let planMarks: SelectionPlan.Marks
    /// The marks of all items together.
    let markSet: MarkSet
    /// The name of the operation or fragment, for errors.
    let component: String
    /// Why the plan cannot be used; it has an empty root then.
    let failure: ResponseError?
    let names: NameTable
    /// So that the numbers of the keys are not given to others.
    private let keyUses: [KeyTable.Use]
    let writing: WritePlan
    /// The object types that a condition names; objects of all other types are written alike.
    let conditionTypes: Set<TypeID>
    /// How many pairs the last tracked read gave: the next one mostly needs room for as many.
    private let lastPairs = Atomic(0)

    init(
        nodes: [Node], items: [Item], responseKeys: [String], types: [BoundType], failure: ResponseError?,
        names: NameTable, marks: [Int: BoundMarks] = [:], planMarks: SelectionPlan.Marks = .none,
        component: String = ""
    ) {
        self.nodes = nodes
        self.items = items
        self.responseKeys = responseKeys
        self.types = types
        self.failure = failure
        self.names = names
        self.marks = marks
        self.planMarks = planMarks
        self.component = component
        let handles = marks.values.compactMap(\.handle)
        keyUses = names.uses(of: items.map(\.key) + handles.map(\.source) + handles.map(\.storageKey))
        markSet = items.reduce(into: MarkSet()) { $0.formUnion($1.marks) }
        writing = WritePlan()
        conditionTypes = Set(items.compactMap { $0.isAbstract ? nil : $0.condition })
    }

    var expectedPairs: Int { lastPairs.load(ordering: .relaxed) }

    func expect(pairs: Int) { lastPairs.store(pairs, ordering: .relaxed) }

    func items(of node: Int) -> Range<Int> { nodes[node].first..<nodes[node].first + nodes[node].count }

    /// Says whether a change of these keys, sorted or not, concerns a selection set.
    func node(_ node: Int, hasAnyOf keys: ArraySlice<StorageKeyID>, bits: UInt64) -> Bool {
        let node = nodes[node]
        guard node.keyBits & bits != 0 else { return false }
        return keys.contains { key in
            var low = 0
            var high = node.keys.count
            while low < high {
                let middle = (low + high) / 2
                if node.keys[middle] < key { low = middle + 1 } else { high = middle }
            }
            return low < node.keys.count && node.keys[low] == key
        }
    }
}

/// The type of a field with its names interned.
struct BoundType: Sendable {
    enum Leaf: Sendable {
        case int
        case float
        case text
        case boolean
        case id
        case unmapped
        /// The position of the conversion in the artifact.
        case mapped(Int)
        case object(Composite)
    }

    /// What a selection set stands on.
    final class Composite: Sendable {
        let type: TypeID
        let name: String
        let isAbstract: Bool
        /// Of an object type: it does. Of an abstract type: all its object types do.
        let implementsNode: Bool
        /// Those of its object types that implement `Node` if only some do.
        let nodes: [TypeID]

        init(type: TypeID, name: String, isAbstract: Bool, implementsNode: Bool, nodes: [TypeID]) {
            self.type = type
            self.name = name
            self.isAbstract = isAbstract
            self.implementsNode = implementsNode
            self.nodes = nodes
        }
    }

    let leaf: Leaf
    /// How many lists are around the leaf.
    let listDepth: Int
    /// Bit n: the n-th list, or the leaf at n = `listDepth`, is not null.
    let nonNull: UInt64
    /// As in GraphQL, for messages.
    let text: String

    @inline(__always)
    func isNonNull(_ level: Int) -> Bool { nonNull & (1 << UInt64(level)) != 0 }
}
