import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension ValidationRule {
    static let fieldSelectionMerging = ValidationRule(
        .fields, "FieldSelectionMerging",
        .followed { $0.checkFieldsMerge() })
}

/// Checks that fields with one response key can be merged. Results must have one shape. Fields that one object may have
/// must also be the same field with the same arguments.
///
/// The specification compares every pair of fields. This implementation visits every selection set once. It groups the
/// set's fields by response key, including the fields of its fragments. "Can be merged" is an equivalence within a
/// group, so each field is compared only with the first one. The sets below a group are visited together as one set,
/// once for each combination. The cost is therefore linear in the selections. The idea comes from Simon Adameit,
/// https://tech.new-work.se/graphql-overlapping-fields-can-be-merged-fast-ea6e92e0a01.
///
/// A conflict between two fragments is a warning if only a third fragment combines them, and no operation does. A
/// conflict in an unused fragment is a warning too.
///
/// Specification: https://spec.graphql.org/September2025/#sec-Field-Selection-Merging
struct FieldSelectionMerging {
    private typealias Entry = SelectionTable.Entry

    /// Selection sets that are visited together as one set.
    private struct Work: Hashable {
        let sets: [Int32]
        /// Whether only the shape of results matters, because no object has all the parent types.
        let isShapeOnly: Bool
    }

    private let definitions: DefinitionTable
    private let table: SelectionTable
    private let schema: Schema
    private let undefined: Set<UndefinedVariables.Use>
    private var diagnostics: [Diagnostic] = []
    private var pending: [Work] = []
    /// The number of pending sets; each set will take at least one field from the budget.
    private var pendingSetCount = 0
    private var seen: Set<Work> = []
    private var reported: Set<Span> = []
    /// The number of fields that may still be visited before the documents are refused.
    private var budget: Int
    /// Whether to report a spent budget, which happens once.
    private var reportsLimit = true
    /// The number of spreads that may still be followed to find the place of a report.
    private var stepsLeft = 1_000_000
    /// Whether an operation contains the current selection set.
    private var isInOperation = true

    // Buffers that are used again, indexed by response key and by fragment. An entry is valid if its stamp is the
    // current one.
    private var stamp = 0
    private var keyStamp: [Int]
    private var firstEntry: [Int32]
    private var fragmentStamp: [Int]
    private var collected: [Int32] = []

    /// The number of fields that may be visited, in addition to 100 times the number of fields in the documents.
    static let defaultBudget = 20_000_000

    /// Checks all definitions. Undefined variables are reported elsewhere and count as equal to any variable.
    static func check(
        _ definitions: DefinitionTable,
        _ schema: Schema,
        undefined: Set<UndefinedVariables.Use> = [],
        reportsLimit: Bool = true,
        budget: Int = defaultBudget
    ) -> [Diagnostic] {
        var rule = FieldSelectionMerging(definitions, schema, undefined, budget: budget)
        rule.reportsLimit = reportsLimit
        rule.run()
        return rule.diagnostics
    }

    private init(
        _ definitions: DefinitionTable, _ schema: Schema, _ undefined: Set<UndefinedVariables.Use>, budget: Int
    ) {
        self.undefined = undefined
        self.definitions = definitions
        table = definitions.selections
        self.schema = schema
        self.budget = budget + 100 * table.entries.count
        keyStamp = Array(repeating: 0, count: table.names.count)
        firstEntry = Array(repeating: 0, count: table.names.count)
        fragmentStamp = Array(repeating: 0, count: definitions.fragments.count)
    }

    private mutating func run() {
        // Sets that operations reach come first: each conflict is reported once, and is an error in such a set. The
        // outermost set of a spread fragment is visited with its spreads.
        let covered = topsOfSpreadFragments()
        let sets = table.sets.indices.filter { !covered.contains($0) }
        let order = sets.filter { isReached(table.sets[$0]) } + sets.filter { !isReached(table.sets[$0]) }
        for set in order {
            isInOperation = isReached(table.sets[set])
            look(at: [Int32(truncatingIfNeeded: set)], isShapeOnly: false)
            while let work = pending.popLast() {
                pendingSetCount -= work.sets.count
                look(at: work.sets, isShapeOnly: work.isShapeOnly)
            }
            if budget < 0 {
                guard reportsLimit else { return }
                let span = definitions.operations.first?.definition.headSpan ?? .none
                diagnostics.append(
                    Diagnostic(.mergingLimit, "the fragments are too entangled to compare all fields", at: span)
                )
                return
            }
        }
    }

    private func topsOfSpreadFragments() -> Set<Int> {
        var tops: Set<Int> = []
        for spread in table.spreads { tops.insert(Int(definitions.fragments[Int(spread)].facts.root)) }
        return tops
    }

    private func isReached(_ set: SelectionTable.Set) -> Bool {
        set.fragment < 0 || definitions.isReached[Int(set.fragment)]
    }

    /// Groups the fields of sets by response key, and checks the groups with several fields.
    private mutating func look(at sets: [Int32], isShapeOnly: Bool) {
        collect(sets)
        var groups: [Int32: [Int32]] = [:]
        for index in collected {
            let key = Int(table.entries[Int(index)].key)
            if keyStamp[key] != stamp {
                keyStamp[key] = stamp
                firstEntry[key] = index
            } else {
                groups[Int32(truncatingIfNeeded: key), default: [firstEntry[key]]].append(index)
            }
        }
        // The order of keys makes the diagnostics deterministic.
        for (_, group) in groups.sorted(by: { $0.key < $1.key }) { judge(group, isShapeOnly: isShapeOnly) }
    }

    /// Fills `collected` with the entries of the sets and of all fragments spread in them.
    private mutating func collect(_ sets: [Int32]) {
        stamp += 1
        collected.removeAll(keepingCapacity: true)
        var next = sets
        while let set = next.popLast() {
            guard set >= 0 else { continue }
            let range = table.sets[Int(set)]
            budget -= 1 + range.entries.count + range.spreads.count
            if budget < 0 { return }
            collected.append(contentsOf: range.entries)
            for spread in range.spreads {
                let fragment = Int(table.spreads[Int(spread)])
                if fragmentStamp[fragment] == stamp { continue }
                fragmentStamp[fragment] = stamp
                next.append(definitions.fragments[fragment].facts.root)
            }
        }
    }

    // MARK: - Groups

    private mutating func judge(_ group: [Int32], isShapeOnly: Bool) {
        guard isShapeOnly || areSameWhereParentsMeet(group), areNotStreamed(group), haveOneShape(group) else { return }
        let parents = group.filter { table.entries[Int($0)].children >= 0 }
        if isShapeOnly { enqueue(parents, isShapeOnly: true) } else { enqueueByParent(parents) }
    }

    /// Adds the sets below fields that one object may have: the fields of each object type, together with those of all
    /// abstract types. The sets of different object types are compared by their shape only.
    private mutating func enqueueByParent(_ group: [Int32]) {
        if group.count < 2 { return }
        var abstract: [Int32] = []
        var concrete: [TypeID: [Int32]] = [:]
        for index in group {
            let entry = table.entries[Int(index)]
            if entry.isParentObject {
                concrete[entry.parent, default: []].append(index)
            } else {
                abstract.append(index)
            }
        }
        if concrete.isEmpty { enqueue(abstract, isShapeOnly: false) }
        for (_, part) in concrete.sorted(by: { $0.key < $1.key }) where budget >= 0 {
            enqueue(part + abstract, isShapeOnly: false)
        }
        if concrete.count > 1 { enqueue(group, isShapeOnly: true) }
    }

    /// Adds the sets below the fields of a group as pending work, if there are several.
    private mutating func enqueue(_ group: [Int32], isShapeOnly: Bool) {
        guard group.count > 1 else { return }
        // Work beyond the budget is not kept, so that the memory is bounded too.
        guard pendingSetCount + group.count <= budget else {
            budget = -1
            return
        }
        let work = Work(sets: group.map { table.entries[Int($0)].children }.sorted(), isShapeOnly: isShapeOnly)
        guard seen.insert(work).inserted else { return }
        pendingSetCount += group.count
        pending.append(work)
    }

    private mutating func areSameWhereParentsMeet(_ group: [Int32]) -> Bool {
        // A field of an abstract type meets every other field; a field of an object type meets fields of the same type
        // and of abstract types.
        var firstAbstract: Int32?
        var firstOfParent: [TypeID: Int32] = [:]
        var areSame = true
        for index in group {
            let entry = table.entries[Int(index)]
            if entry.isParentObject {
                if let first = firstOfParent[entry.parent] {
                    if !isSame(first, index) { areSame = false }
                } else {
                    firstOfParent[entry.parent] = index
                }
            } else if let first = firstAbstract {
                if !isSame(first, index) { areSame = false }
            } else {
                firstAbstract = index
            }
        }
        guard let firstAbstract else { return areSame }
        for first in firstOfParent.values.sorted() where !isSame(firstAbstract, first) { areSame = false }
        return areSame
    }

    private mutating func isSame(_ first: Int32, _ second: Int32) -> Bool {
        let left = table.entries[Int(first)]
        let right = table.entries[Int(second)]
        if left.name != right.name {
            reportConflict(left, right) { "selects '\($0.table.names[Int($1.name)])'" }
            return false
        }
        if !haveSameArguments(left, right) {
            reportConflict(left, right) { rule, entry in
                if entry.arguments < 0 { return "has no arguments" }
                return "has arguments '\(Self.text(of: rule.table.arguments[Int(entry.arguments)]))'"
            }
            return false
        }
        return true
    }

    private func haveSameArguments(_ left: Entry, _ right: Entry) -> Bool {
        if left.arguments < 0, right.arguments < 0 { return true }
        if left.hasWrongArguments || right.hasWrongArguments { return true }
        // The values of a fragment's own variables are known only at its spreads.
        let isFixed = left.scope == right.scope
        let first = left.arguments < 0 ? [] : table.arguments[Int(left.arguments)]
        let second = right.arguments < 0 ? [] : table.arguments[Int(right.arguments)]
        guard first.count == second.count else { return false }
        let values = Self.values(second.map { ($0.name.text, $0.value) })
        return first.allSatisfy { argument in
            values(argument.name.text).map { areSame($0, argument.value, isFixed: isFixed) } ?? false
        }
    }

    /// Returns a function that finds values by name. For few values, the function searches them in order.
    private static func values(_ named: [(String, Value)]) -> (String) -> Value? {
        if named.count < 16 { return { name in named.first { $0.0 == name }?.1 } }
        let values = Dictionary(named, uniquingKeysWith: { first, _ in first })
        return { values[$0] }
    }

    /// Compares values without regard to the order of input fields. Unless variables are fixed, a variable equals any
    /// other value. An undefined variable always does.
    private func areSame(_ left: Value, _ right: Value, isFixed: Bool) -> Bool {
        func isFree(_ variable: Variable) -> Bool {
            !isFixed || undefined.contains(UndefinedVariables.Use(of: variable))
        }
        // Nested values are in an array, so that deep nesting costs no stack.
        var pending: [(Value, Value)] = []
        var current: (Value, Value)? = (left, right)
        while let next = current {
            defer { current = pending.popLast() }
            switch next {
            case (.variable(let variable), _) where isFree(variable): continue
            case (_, .variable(let variable)) where isFree(variable): continue
            case (.object(let left), .object(let right)):
                guard left.fields.count == right.fields.count else { return false }
                let values = Self.values(right.fields.map { ($0.name.text, $0.value) })
                for field in left.fields {
                    guard let other = values(field.name.text) else { return false }
                    pending.append((field.value, other))
                }
            case (.list(let left), .list(let right)):
                guard left.values.count == right.values.count else { return false }
                pending += zip(left.values, right.values)
            case (let left, let right):
                if left != right { return false }
            }
        }
        return true
    }

    private static func text(of arguments: [Argument]) -> String {
        arguments.map { "\($0.name.text): \(Printer.print($0.value))" }.joined(separator: ", ")
    }

    /// Checks that a streamed field is selected once, because the directives of two selections could contradict each
    /// other.
    ///
    /// Specification: https://github.com/graphql/graphql-spec/pull/1110
    private mutating func areNotStreamed(_ group: [Int32]) -> Bool {
        guard let first = group.first, group.contains(where: { table.entries[Int($0)].isStreamed }) else { return true }
        let left = table.entries[Int(first)]
        for index in group.dropFirst() {
            let right = table.entries[Int(index)]
            if !left.isStreamed, !right.isStreamed { continue }
            reportConflict(left, right) { _, entry in
                entry.isStreamed ? "is streamed" : "is not streamed"
            }
        }
        return false
    }

    // MARK: - Shapes

    /// Specification: https://spec.graphql.org/September2025/#SameResponseShape()
    private mutating func haveOneShape(_ group: [Int32]) -> Bool {
        guard let first = group.first else { return true }
        let left = table.entries[Int(first)]
        var areSame = true
        for index in group.dropFirst() {
            let right = table.entries[Int(index)]
            if left.type == right.type || haveSameShape(left.type, right.type) { continue }
            reportConflict(left, right) { "has type '\($0.schema.describe($1.type))'" }
            areSame = false
        }
        return areSame
    }

    private func haveSameShape(_ left: TypeReference, _ right: TypeReference) -> Bool {
        switch (left.shape, right.shape) {
        case (.nonNull(let left), .nonNull(let right)), (.list(let left), .list(let right)):
            haveSameShape(left, right)
        case (.named(let left), .named(let right)):
            left == right || schema[left].isComposite && schema[right].isComposite
        default: false
        }
    }

    // MARK: - Report

    /// Whether a definition spreads a fragment, directly or through others.
    private mutating func spreads(_ definition: Int32, _ fragment: Int32) -> Bool {
        if definition < 0 { return true }
        var visited: Set<Int> = []
        var pending = [Int(definition)]
        while let next = pending.popLast(), stepsLeft > 0 {
            if next == Int(fragment) { return true }
            guard visited.insert(next).inserted else { continue }
            let below = definitions.fragments[next].facts.spreads
            stepsLeft -= 1 + below.count
            pending += below.map(\.fragment)
        }
        return false
    }

    /// Reports a conflict once: at the field whose definition spreads the other's definition, or else at the later
    /// field.
    private mutating func reportConflict(_ left: Entry, _ right: Entry, _ difference: (Self, Entry) -> String) {
        var (first, second) = left.span < right.span ? (left, right) : (right, left)
        var isMistake = isInOperation || first.fragment == second.fragment
        if first.fragment != second.fragment {
            if spreads(first.fragment, second.fragment) {
                swap(&first, &second)
                isMistake = true
            } else if spreads(second.fragment, first.fragment) {
                isMistake = true
            }
        }
        guard reported.insert(second.span).inserted else { return }
        let key = table.names[Int(second.key)]
        let here = difference(self, second)
        let elsewhere = difference(self, first)
        diagnostics.append(
            Diagnostic(
                .conflictingFields,
                severity: isMistake ? .error : .warning,
                "conflicting fields, '\(key)' \(here) here and \(elsewhere) elsewhere",
                at: second.span,
                notes: [.init("the other '\(key)' is here", at: first.span)],
                suggestion: "give one of them another alias"
            )
        )
    }
}

extension Traversal {
    /// Compares the fields of all selection sets. This check runs when the fragments that operations reach and the
    /// undefined variables are known.
    func checkFieldsMerge() {
        diagnostics += FieldSelectionMerging.check(
            definitions, schema, undefined: undefined.uses, reportsLimit: settings.reportsLimits)
    }
}
