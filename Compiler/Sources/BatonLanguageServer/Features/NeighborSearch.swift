import BatonCompiler
import BatonDiagnostics
import BatonProject
import BatonSchema
import BatonSyntax

/// The search for fields that stand beside an alias in some response and have its new name, or its old one.
///
/// A response joins the selections of all fragments that lead to one object. So the search goes from each operation
/// down to the alias, and looks at all fields of the objects that have it:
///
///     query Q { film { title ...Row } }        fragment Row on Film { name: title }
///
/// Here `title` is a neighbor of the alias `name`. Fields on types that no object is of at the same time are none.
struct NeighborSearch {
    enum Result {
        case neighbor(key: String, Span)
        case tooMany
        case cancelled
    }

    private struct Place {
        let field: Field
        let parent: SchemaType?
        let isRenamed: Bool

        var key: String { (field.alias ?? field.name).text }
    }

    private typealias Level = [(set: SelectionSet, type: SchemaType?)]

    private let view: ProjectView
    private let schema: Schema
    private let renamed: (path: AbsolutePath, ranges: Set<Range<Int>>)
    private let keys: [String]
    private var fragments: [String: FragmentDefinition] = [:]
    private var operations: [OperationDefinition] = []
    /// The fragments that lead to the definition with the alias, itself included.
    private var reaching: Set<String> = []
    private var roots: [Level] = []
    /// Whether each selection set leads to the alias.
    private var leading: [Span: Bool] = [:]
    private var budget = 5_000_000

    /// Prepares the search for the aliases at `renamed`, which stand in a fragment or an operation, and for fields that
    /// are named by one of `keys`.
    init(
        _ view: ProjectView, _ schema: Schema, definition: (isFragment: Bool, name: String?),
        renamed: (path: AbsolutePath, ranges: Set<Range<Int>>), keys: [String]
    ) {
        self.view = view
        self.schema = schema
        self.renamed = renamed
        self.keys = keys
        for item in (view.compilation?.documents ?? []).flatMap(\.document.definitions) {
            if case .fragment(let fragment) = item { fragments[fragment.name.text] = fragment }
            if case .operation(let operation) = item { operations.append(operation) }
        }
        findRoots(definition)
    }

    /// Finds the definitions that nothing spreads and that lead to the alias.
    private mutating func findRoots(_ definition: (isFragment: Bool, name: String?)) {
        guard definition.isFragment, let name = definition.name else {
            for operation in operations where operation.name?.text == definition.name {
                roots.append([(operation.selectionSet, schema.rootType(for: operation.kind))])
            }
            return
        }
        var users: [String: [String]] = [:]
        var spreads: [Int: Set<String>] = [:]
        for (index, operation) in operations.enumerated() {
            spreads[index] = Set(DefinitionReader.spreads(in: operation.selectionSet).all)
        }
        for (user, fragment) in fragments {
            let names = DefinitionReader.spreads(in: fragment.selectionSet).all
            for name in names { users[name, default: []].append(user) }
        }
        var pending = [name]
        while let next = pending.popLast() {
            if reaching.insert(next).inserted { pending += users[next] ?? [] }
        }
        for (index, operation) in operations.enumerated() where spreads[index]?.isDisjoint(with: reaching) == false {
            roots.append([(operation.selectionSet, schema.rootType(for: operation.kind))])
        }
        for fragment in reaching.sorted() where (users[fragment] ?? []).isEmpty {
            guard let root = fragments[fragment] else { continue }
            roots.append([(root.selectionSet, schema.type(named: root.typeCondition.text))])
        }
    }

    /// Returns the first neighbor; nil if there is none.
    mutating func run(isCancelled: () -> Bool) -> Result? {
        for root in roots {
            if isCancelled() { return .cancelled }
            if let found = visit(root) { return found }
        }
        return nil
    }

    /// Visits an object of a response, whose fields are those of all selection sets of the level.
    private mutating func visit(_ level: Level) -> Result? {
        let places = fields(of: level)
        budget -= places.count + 1
        if budget < 0 { return .tooMany }
        for own in places where own.isRenamed {
            let neighbor = places.first { other in
                !other.isRenamed && keys.contains(other.key) && overlap(own.parent, other.parent)
            }
            if let neighbor { return .neighbor(key: neighbor.key, (neighbor.field.alias ?? neighbor.field.name).span) }
        }
        var inner: [String: Level] = [:]
        var order: [String] = []
        for place in places {
            guard let set = place.field.selectionSet else { continue }
            let field = place.parent.flatMap { schema.field(named: place.field.name.text, on: $0) }
            if inner[place.key] == nil { order.append(place.key) }
            inner[place.key, default: []].append((set, field.map { schema.namedType(of: $0.type) }))
        }
        for key in order {
            guard let level = inner[key], level.contains(where: { leads($0.set) }) else { continue }
            if let found = visit(level) { return found }
        }
        return nil
    }

    private func fields(of level: Level) -> [Place] {
        var places: [Place] = []
        var pending = Level(level.reversed())
        var seen: Set<String> = []
        while let (set, type) = pending.popLast() {
            for selection in set.selections {
                switch selection {
                case .field(let field):
                    places.append(Place(field: field, parent: type, isRenamed: isRenamed(field)))
                case .inlineFragment(let inline):
                    pending.append(
                        (inline.selectionSet, inline.typeCondition.map { schema.type(named: $0.text) } ?? type))
                case .fragmentSpread(let spread):
                    guard seen.insert(spread.name.text).inserted, let fragment = fragments[spread.name.text] else {
                        continue
                    }
                    pending.append((fragment.selectionSet, schema.type(named: fragment.typeCondition.text)))
                }
            }
        }
        return places
    }

    private func isRenamed(_ field: Field) -> Bool {
        guard let alias = field.alias, keys.contains(alias.text), let place = view.place(of: alias.span) else {
            return false
        }
        return place.path == renamed.path && renamed.ranges.contains(place.range)
    }

    /// Whether one object may be of both types.
    private func overlap(_ left: SchemaType?, _ right: SchemaType?) -> Bool {
        guard let left, let right, left !== right else { return true }
        let names = Set(schema.possibleTypes(of: left).map(\.name))
        return schema.possibleTypes(of: right).contains { names.contains($0.name) }
    }

    private mutating func leads(_ set: SelectionSet) -> Bool {
        if let known = leading[set.span] { return known }
        let result = set.selections.contains { selection in
            switch selection {
            case .field(let field): isRenamed(field) || field.selectionSet.map { leads($0) } ?? false
            case .inlineFragment(let inline): leads(inline.selectionSet)
            case .fragmentSpread(let spread): reaching.contains(spread.name.text)
            }
        }
        leading[set.span] = result
        return result
    }
}
