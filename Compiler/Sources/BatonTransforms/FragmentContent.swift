import BatonIR
import BatonSchema

/// Finds the fragments of a program that have no content of some kind, at any depth.
struct FragmentContent {
    private(set) var emptyFragments: Set<String> = []
    private let kind: Kind

    enum Kind {
        /// Every field is content.
        case any
        /// Only fields that the server knows are content.
        case server
        /// Only fields that the server knows are content, in a program to which `GenerateIDs` has not added `id` below
        /// fields.
        case serverWithoutIDs(GenerateIDs)
    }

    init(_ program: Program, _ kind: Kind) {
        self.kind = kind
        var users: [String: [Int]] = [:]
        for (index, fragment) in program.fragments.enumerated() {
            for name in Set(TypedSelection.spreads(in: fragment.selections).map(\.fragment)) {
                users[name, default: []].append(index)
            }
        }
        var pending = Array(program.fragments.indices)
        while let index = pending.popLast() {
            let fragment = program.fragments[index]
            if emptyFragments.contains(fragment.name) { continue }
            if !isForeign(fragment.type), hasContent(fragment.selections) { continue }
            emptyFragments.insert(fragment.name)
            pending += users[fragment.name] ?? []
        }
    }

    /// The parser's nesting limit bounds the recursion.
    func hasContent(_ selections: [TypedSelection]) -> Bool {
        selections.contains { selection in
            switch selection {
            case .field(let field): !isForeign(field) && hasContent(field)
            case .inlineFragment(let inline):
                inline.type.map(isForeign) != true && hasContent(inline.selections)
            case .spread(let spread): !emptyFragments.contains(spread.fragment)
            }
        }
    }

    /// Whether a field has no selections, or has content in them.
    func hasContent(_ field: TypedField) -> Bool {
        if field.selections.isEmpty || hasContent(field.selections) { return true }
        if case .serverWithoutIDs(let ids) = kind { return ids.identifies(field.definition) }
        return false
    }

    private func isForeign(_ field: TypedField) -> Bool {
        if case .any = kind { false } else { field.definition.isClientOnly }
    }

    private func isForeign(_ type: SchemaType) -> Bool {
        if case .any = kind { false } else { type.isClientOnly }
    }
}
