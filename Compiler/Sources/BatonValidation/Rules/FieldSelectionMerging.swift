import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// Fields with one response key can be merged: the same field with the same arguments where one object may have both,
/// and results of one shape everywhere.
///
/// The specification compares every pair of fields. Here every selection set of the documents is looked at once: its
/// fields, those of its fragments included, are grouped by response key; as "may be merged" is an equivalence inside a
/// group, each is compared with the first only; and the sets below a group are looked at together, as one set. Sets
/// that were looked at together once are not again. So the work is linear in what is selected, not quadratic. The idea
/// is that of Simon Adameit, https://tech.new-work.se/graphql-overlapping-fields-can-be-merged-fast-ea6e92e0a01.
///
/// A conflict between different fragments that only a third one brings together, and no operation, is a warning, like
/// an unused fragment.
///
/// Specification: https://spec.graphql.org/September2025/#sec-Field-Selection-Merging
struct FieldSelectionMerging {
    private typealias Entry = SelectionTable.Entry

    /// Selection sets to look at as one.
    private struct Work: Hashable {
        let sets: [Int32]
        /// Whether only the shape of results matters, because no object has all the parents.
        let isShapeOnly: Bool
    }

    private let definitions: DefinitionTable
    private let table: SelectionTable
    private let schema: Schema
    private let undefined: Set<UndefinedVariables.Use>
    private var diagnostics: [Diagnostic] = []
    private var pending: [Work] = []
    /// How many sets are pending, each of which will cost something of the budget.
    private var pendingSetCount = 0
    private var seen: Set<Work> = []
    private var reported: Set<Span> = []
    /// How many more fields are looked at before documents are taken for an attack.
    private var budget: Int
    /// How many more spreads are followed to find out where to report what.
    private var stepsLeft = 1_000_000
    /// Whether some operation contains the selection set that is looked at.
    private var isInOperation = true

    // Scratch, by response key and by fragment; a stamp says whether a place was written in this round.
    private var stamp = 0
    private var keyStamp: [Int]
    private var firstEntry: [Int32]
    private var fragmentStamp: [Int]
    private var collected: [Int32] = []

    /// How many fields may be looked at, besides 100 times as many as there are.
    static let defaultBudget = 20_000_000

    /// Judges all definitions; variables that are not defined were reported and may mean any other.
    static func check(
        _ definitions: DefinitionTable,
        _ schema: Schema,
        undefined: Set<UndefinedVariables.Use> = [],
        budget: Int = defaultBudget
    ) -> [Diagnostic] {
        var rule = FieldSelectionMerging(definitions, schema, undefined, budget: budget)
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
        // What operations reach comes first, since a conflict is reported once and there it is an error. The top of a
        // fragment that something spreads is looked at where it is spread.
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

    /// Groups the fields of some sets by response key and judges groups of more than one.
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
        // In the order of keys, so that equal documents get equal diagnostics.
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

    /// Takes fields together that one object may have: those of each object type, each time with those of all abstract
    /// types. What only different objects have agrees in its shape.
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

    /// Looks later at what is selected below the fields of a group, if that is more than one set.
    private mutating func enqueue(_ group: [Int32], isShapeOnly: Bool) {
        guard group.count > 1 else { return }
        // What the budget cannot pay for is not kept, so that the memory is bounded too.
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
        // All fields of abstract types meet each other and every other field, fields of objects only those of the same.
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
        // What a fragment's own variables stand for is known only when its arguments are applied.
        let isFixed = left.scope == right.scope
        let first = left.arguments < 0 ? [] : table.arguments[Int(left.arguments)]
        let second = right.arguments < 0 ? [] : table.arguments[Int(right.arguments)]
        guard first.count == second.count else { return false }
        let values = Self.values(second.map { ($0.name.text, $0.value) })
        return first.allSatisfy { argument in
            values(argument.name.text).map { areSame($0, argument.value, isFixed: isFixed) } ?? false
        }
    }

    /// Finds values by name: a few by searching, many in a dictionary.
    private static func values(_ named: [(String, Value)]) -> (String) -> Value? {
        if named.count < 16 { return { name in named.first { $0.0 == name }?.1 } }
        let values = Dictionary(named, uniquingKeysWith: { first, _ in first })
        return { values[$0] }
    }

    /// Equality of values, in which the order of input fields does not matter; unless they are fixed a variable may be
    /// anything, and so may one that is not defined.
    private func areSame(_ left: Value, _ right: Value, isFixed: Bool) -> Bool {
        func isFree(_ variable: Variable) -> Bool {
            !isFixed || undefined.contains(UndefinedVariables.Use(of: variable))
        }
        // Values inside others stand in an array, so that deep nesting costs no stack.
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

    /// A field that is streamed is selected once, since the directives of two could contradict each other.
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

    /// Whether a definition spreads a fragment, through others if need be.
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

    /// Reports the field of the definition that brings the two together, or the later one; once.
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
    /// Compares the fields of all selection sets, once it is known what operations reach and which variables they lack.
    func checkFieldsMerge() {
        diagnostics += FieldSelectionMerging.check(definitions, schema, undefined: undefined.uses)
    }
}
