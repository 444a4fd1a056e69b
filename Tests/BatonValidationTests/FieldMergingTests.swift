import BatonDiagnostics
import BatonSchema
import BatonSyntax
import BatonValidation
import FixtureSupport
import Foundation
import RandomCases
import Testing

/// The grouping of fields gives the same verdict as the pairs of the specification, and does so in less than quadratic
/// time.
@Suite struct FieldMergingTests {
    private static let schema = SchemaBuilder.build([
        parse(
            """
            type Query { i: I a: A b: B u: U s(x: Int, y: Int): String }
            interface I { i: I s(x: Int, y: Int): String n: Int }
            interface J { j: J s(x: Int, y: Int): String }
            type A implements I & J { i: I j: J a: A s(x: Int, y: Int): String n: Int t: Int! l: [A] m: [String] }
            type B implements I { i: I b: B s(x: Int, y: Int): String n: Int t: Int! l: [B!] m: [String] }
            type C implements J { j: J c: C s(x: Int, y: Int): String }
            union U = A | B | C
            """
        )
    ]).schema

    private static func parse(_ text: String) -> Document {
        Parser.parseDocument(SourceFile(id: SourceID(index: 1), path: "", bytes: Array(text.utf8))).document
    }

    private static func conflicts(_ document: Document, _ schema: Schema) -> Bool {
        Validator.validate([document], schema).contains { $0.id == .conflictingFields }
    }

    @Test(arguments: RandomCases.seeds(3, from: 0 as UInt64))
    func theVerdictIsThatOfTheSpecification(_ seed: UInt64) throws {
        var generator = SelectionGenerator(schema: Self.schema, seed: seed)
        var conflicting = 0
        let count = 400
        for _ in 0..<count {
            let text = generator.document()
            let document = Self.parse(text)
            let expected = !PairwiseMerging(document, Self.schema).allSetsCanMerge()
            #expect(Self.conflicts(document, Self.schema) == expected, "\(text)")
            if expected { conflicting += 1 }
        }
        // Neither result is rare, or the test would show little.
        #expect((count / 8..<count * 7 / 8).contains(conflicting), "\(conflicting) of \(count) conflict")
    }

    /// Four times as many fields may take four times as long, with some allowance for noise. Sixteen times as long is
    /// quadratic.
    @Test(arguments: ["a { x: s y: n }", "... on A { a { x: s } }", "a { a { a { x: s } } }", "...F"])
    func theTimeIsLessThanQuadratic(_ selection: String) {
        func seconds(_ count: Int) -> Double {
            let fields = Array(repeating: selection, count: count).joined(separator: " ")
            let document = Self.parse("query Q { a { \(fields) } } fragment F on A { a { x: s } }")
            let times = (0..<3).map { _ in
                let start = Self.secondsOfThisThread()
                #expect(!Self.conflicts(document, Self.schema))
                return Self.secondsOfThisThread() - start
            }
            return times.min() ?? 0
        }
        let few = seconds(1_000)
        let many = seconds(4_000)
        #expect(many < 10 * few + 0.01, "\(few) and \(many) seconds")
    }

    /// The time in which this thread worked, whatever the load of the machine.
    private static func secondsOfThisThread() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// `FieldsInSetCanMerge` and `SameResponseShape` in the form of the specification, pair by pair.
///
/// Specification: https://spec.graphql.org/September2025/#FieldsInSetCanMerge()
private struct PairwiseMerging {
    private typealias Scoped = (field: Field, parent: SchemaType)
    private typealias ScopedSet = (set: SelectionSet, parent: SchemaType)

    private let document: Document
    private let schema: Schema
    private let fragments: [String: FragmentDefinition]

    init(_ document: Document, _ schema: Schema) {
        self.document = document
        self.schema = schema
        fragments = Dictionary(document.fragments.map { ($0.name.text, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func allSetsCanMerge() -> Bool {
        let roots =
            document.operations.map { ($0.selectionSet, schema.queryType) }
            + document.fragments.map { ($0.selectionSet, schema.type(named: $0.typeCondition.text)) }
        return roots.allSatisfy { set, parent in parent.map { setsBelowCanMerge((set, $0)) } ?? true }
    }

    /// The set itself and every set inside it.
    private func setsBelowCanMerge(_ scope: ScopedSet) -> Bool {
        fieldsInSetCanMerge([scope])
            && scope.set.selections.allSatisfy { selection in
                switch selection {
                case .field(let field): children(of: (field, scope.parent)).map(setsBelowCanMerge) ?? true
                case .inlineFragment(let fragment):
                    setsBelowCanMerge((fragment.selectionSet, type(of: fragment, scope)))
                case .fragmentSpread: true
                }
            }
    }

    private func fieldsInSetCanMerge(_ sets: [ScopedSet]) -> Bool {
        pairs(in: sets).allSatisfy { first, second in
            guard haveSameShape(first, second) else { return false }
            let isExclusive =
                first.parent !== second.parent && first.parent.kind == .object && second.parent.kind == .object
            if isExclusive { return true }
            return first.field.name == second.field.name
                && Set(first.field.arguments) == Set(second.field.arguments)
                && fieldsInSetCanMerge([children(of: first), children(of: second)].compactMap { $0 })
        }
    }

    private func haveSameShape(_ first: Scoped, _ second: Scoped) -> Bool {
        guard var left = type(of: first), var right = type(of: second) else { return true }
        while true {
            if left.isNonNull || right.isNonNull {
                guard left.isNonNull, right.isNonNull else { return false }
                (left, right) = (left.nullable, right.nullable)
            }
            guard left.isList || right.isList else { break }
            guard let leftItem = left.item, let rightItem = right.item else { return false }
            (left, right) = (leftItem, rightItem)
        }
        if schema.namedType(of: left).isLeaf || schema.namedType(of: right).isLeaf { return left.named == right.named }
        return pairs(in: [children(of: first), children(of: second)].compactMap { $0 }).allSatisfy(haveSameShape)
    }

    /// Every pair of fields with one response key, fragments and inline fragments visited.
    private func pairs(in sets: [ScopedSet]) -> [(Scoped, Scoped)] {
        var groups: [String: [Scoped]] = [:]
        var visited: Set<String> = []
        var pending = sets
        while let scope = pending.popLast() {
            for selection in scope.set.selections {
                switch selection {
                case .field(let field): groups[field.responseKey.text, default: []].append((field, scope.parent))
                case .inlineFragment(let fragment): pending.append((fragment.selectionSet, type(of: fragment, scope)))
                case .fragmentSpread(let spread):
                    guard visited.insert(spread.name.text).inserted, let fragment = fragments[spread.name.text],
                        let type = schema.type(named: fragment.typeCondition.text)
                    else { continue }
                    pending.append((fragment.selectionSet, type))
                }
            }
        }
        return groups.values.flatMap { group in
            group.indices.flatMap { first in group[(first + 1)...].map { (group[first], $0) } }
        }
    }

    private func type(of fragment: InlineFragment, _ scope: ScopedSet) -> SchemaType {
        fragment.typeCondition.flatMap { schema.type(named: $0.text) } ?? scope.parent
    }

    private func type(of scope: Scoped) -> TypeReference? {
        schema.field(named: scope.field.name.text, on: scope.parent)?.type
    }

    private func children(of scope: Scoped) -> ScopedSet? {
        guard let set = scope.field.selectionSet, let type = type(of: scope) else { return nil }
        return (set, schema.namedType(of: type))
    }
}

/// Writes documents whose fields have few response keys, so that many fields share a key.
private struct SelectionGenerator {
    private let schema: Schema
    private var random: SeededGenerator
    private static let fragmentTypes = ["I", "A", "B", "U", "J", "C"]

    init(schema: Schema, seed: UInt64) {
        self.schema = schema
        random = SeededGenerator(seed: seed)
    }

    mutating func document() -> String {
        var text = "query Q { \(selections(on: "Query", depth: 3, spreadable: 0)) }"
        // A fragment spreads only later fragments, so that there are no cycles.
        for (index, type) in Self.fragmentTypes.enumerated() {
            text += "\nfragment F\(index) on \(type) { \(selections(on: type, depth: 2, spreadable: index + 1)) }"
        }
        return text
    }

    private mutating func selections(on name: String, depth: Int, spreadable: Int) -> String {
        guard let type = schema.type(named: name) else { return "__typename" }
        var parts: [String] = []
        for _ in 0...random.below(2) {
            switch random.below(8) {
            case 0 where spreadable < Self.fragmentTypes.count:
                let choices = Self.fragmentTypes.count - spreadable
                parts.append("...F\(spreadable + random.below(choices))")
            case 1 where depth > 0:
                let target = Self.fragmentTypes[random.below(Self.fragmentTypes.count)]
                let below = selections(on: target, depth: depth - 1, spreadable: spreadable)
                parts.append("... on \(target) { \(below) }")
            default: parts.append(field(on: type, depth: depth, spreadable: spreadable))
            }
        }
        return parts.joined(separator: " ")
    }

    private mutating func field(on type: SchemaType, depth: Int, spreadable: Int) -> String {
        let fields = type.fields.filter { depth > 0 || schema.namedType(of: $0.type).isLeaf }
        guard !fields.isEmpty else { return "__typename" }
        let field = fields[random.below(fields.count)]
        var text = ["", "", "", "", "", "", "", "", "", "", "", "x: "][random.below(12)] + field.name
        if !field.arguments.isEmpty {
            text +=
                ["", "", "", "", "", "", "", "", "", "(x: 1)", "(x: 1, y: 2)", "(y: 2, x: 1)"][
                    random.below(12)]
        }
        let result = schema.namedType(of: field.type)
        if result.isComposite {
            text += " { \(selections(on: result.name, depth: depth - 1, spreadable: spreadable)) }"
        }
        return text
    }
}
