/// A selection plan with its names interned in one store and its variables replaced by values. It never changes.
///
/// Selection sets are numbered; the root is 0. All their items lie in one array, so that a reader follows integers
/// only.
final class BoundPlan: Sendable {
    /// A selection set.
    struct Node: Sendable {
        var first = 0
        var count = 0
        /// The keys of the set's own fields, sorted.
        var keys: [StorageKeyID] = []
        /// One bit for each key modulo 64. Two sets of keys without a common bit have no common key.
        var keyBits: UInt64 = 0
        /// True if some items have selection sets.
        var hasObjects = false
    }

    /// An item of a selection set.
    struct Item: Sendable {
        enum Kind: UInt8, Sendable {
            /// A condition of the item is false.
            case excluded
            case leaf
            /// Relay's `__id`: the data ID of the record itself, which no response brings. Only plans of readers have
            /// this kind.
            case dataID
            case composite
            /// An inline fragment. Without a type condition it applies to the parent's type.
            case inline
            case spread
        }

        var kind: Kind
        var key = StorageKeyID(index: .max)
        /// The number of the item's selection set.
        var child: UInt32 = .max
        /// The type that the record must have; nil if any type will do.
        var condition: TypeID?
        var isAbstract = false
        /// True if the enclosing object is null when this field is: the field is non-null or required, under every
        /// condition.
        var isRequired = false
        /// The kinds of marks of the item. `BoundPlan.marks` has their content.
        var marks = MarkSet()
    }

    let nodes: [Node]
    let items: [Item]
    /// The response keys of the items that are fields, by the position of the item.
    let responseKeys: [String]
    let types: [BoundType]
    /// The marks of items, by the position of the item; nearly always empty.
    let marks: [Int: BoundMarks]
    /// The arguments that were passed to the fragment; nil for the plan of an operation.
    let arguments: FragmentArguments?
    /// The arguments that spreads pass to their fragments, by the position of the item; nearly always empty.
    let passed: [Int: FragmentArguments]
    /// The marks of the whole plan.
    let planMarks: SelectionPlan.Marks
    /// The relations of the client's own types, which no response shows; nearly always nil.
    private let clientFacts: ClientFacts?
    /// The kinds of marks of all items together.
    let markSet: MarkSet
    /// True if a read has to check fields, and not only to find values.
    let isChecked: Bool
    /// True if the plan selects only leaves and spreads of one object, so that a read need not look at each of them.
    let isOfOneRow: Bool
    /// True if results have the data IDs of records. The numbers of these records must not be freed during a read.
    let tellsDataIDs: Bool
    /// The name of the operation or fragment, for error messages.
    let component: String
    /// The reason why the plan cannot be used; its root is then empty.
    let failure: RelayError.InvalidResponse?
    let names: NameTable
    /// Keeps the numbers of the keys from being given to other keys.
    private let keyUses: [KeyNumbers.Use]
    let writing: WritePlan
    /// The same for data that was made by hand, which may have client fields.
    let writingByHand: WritePlan
    /// The form of a read's result.
    let layout: ResultLayout
    /// The object types that a type condition names. Objects of all other types are written alike.
    let conditionTypes: Set<TypeID>
    /// The conversions of mapped scalars, by the position that a type gives.
    let scalars: [GeneratedCode.ScalarDecoder]
    private let forms = Forms()

    init(
        nodes: [Node], items: [Item], responseKeys: [String], types: [BoundType], failure: RelayError.InvalidResponse?,
        names: NameTable, marks: [Int: BoundMarks] = [:], planMarks: SelectionPlan.Marks = .none,
        component: String = "", scalars: [GeneratedCode.ScalarDecoder] = [], arguments: FragmentArguments? = nil,
        passed: [Int: FragmentArguments] = [:]
    ) {
        self.scalars = scalars
        self.arguments = arguments
        self.passed = passed
        self.nodes = nodes
        self.items = items
        self.responseKeys = responseKeys
        self.types = types
        self.failure = failure
        self.names = names
        self.marks = marks
        self.planMarks = planMarks
        clientFacts = planMarks.clientTypes.isEmpty ? nil : ClientFacts(planMarks.clientTypes, names)
        self.component = component
        let handles = marks.values.compactMap(\.handle)
        keyUses = names.uses(of: items.map(\.key) + handles.map(\.source) + handles.map(\.storageKey))
        markSet = items.reduce(into: MarkSet()) { $0.formUnion($1.marks) }
        writing = WritePlan()
        writingByHand = markSet.contains(.client) ? WritePlan(takesClientFields: true) : writing
        let isChecked =
            !markSet.isDisjoint(with: [.required, .catches, .deferred, .client]) || planMarks.throwsOnFieldError
            || planMarks.catches != nil
        self.isChecked = isChecked
        layout = ResultLayout(nodes, items, types, isChecked: isChecked)
        isOfOneRow = failure == nil && !isChecked && layout.nodes.first?.steps.isEmpty == true
        tellsDataIDs = items.contains { $0.kind == .dataID }
        conditionTypes = Set(items.compactMap { $0.isAbstract ? nil : $0.condition })
    }

    /// Returns true if objects of a type are of an abstract type; nil if neither a response nor the client's schema has
    /// shown it.
    func fact(_ type: TypeID, is abstractType: TypeID, in records: Records) -> Bool? {
        clientFact(type, is: abstractType) ?? records.fact(type, is: abstractType)
    }

    /// Returns true if the client's schema says that objects of a type are of an abstract type; nil for two types of
    /// the server.
    func clientFact(_ type: TypeID, is abstractType: TypeID) -> Bool? {
        clientFacts.flatMap { $0.fact(type, is: abstractType) }
    }

    /// Returns the form of records of a shape in a selection set.
    func form(_ node: Int, _ shape: Shape) -> Form { forms.form(node, shape, of: self) }

    func items(of node: Int) -> Range<Int> { nodes[node].first..<nodes[node].first + nodes[node].count }

    /// Returns true if a change of these keys, in any order, concerns a selection set. `bits` has the keys' bits.
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
