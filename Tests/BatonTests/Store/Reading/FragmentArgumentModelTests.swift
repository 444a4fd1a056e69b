import RandomCases
import Testing

@testable import Baton

/// Random fragments that pass each other arguments, compared with what the compiler makes of them: an operation in
/// which every argument has been replaced by what was passed.
@Suite struct FragmentArgumentModelTests {
    @Test(arguments: RandomCases.seeds(9)) func fragmentsReadWhatTheirOperationBrings(_ seed: Int) throws {
        var world = World(seed: UInt64(seed) &+ 4711)
        for _ in 0..<20 { try world.run() }
        #expect(world.passing > 30 && world.leaves > 50, "the worlds are too poor")
    }

    /// A fragment, or the operation.
    private struct Definition {
        var variables: [SelectionPlan.Variable]
        var items: [SelectionPlan.Item]

        var text: String { SelectionPlanPrinter.print(.init(variables: variables, marks: .none, items: items)) }
    }

    /// What the arguments of a fragment stand for in terms of the operation. Other names are the operation's.
    private typealias Scope = [String: SelectionPlan.Value]

    private struct World {
        var generator: SeededGenerator
        var passing = 0
        var leaves = 0
        private var fragments: [Definition] = []
        private var artifacts: [GeneratedCode.FragmentArtifact] = []
        private var sent: [String: JSONValue] = [:]
        private var responseKeys = 0

        init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

        // MARK: - A random program

        private static let names = ["a", "b", "c", "v", "w"]

        private mutating func pick<Element>(_ elements: [Element]) -> Element {
            elements[Int.random(in: 0..<elements.count, using: &generator)]
        }

        private mutating func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &generator) == 0 }

        private mutating func constant() -> JSONValue {
            pick([.null, .bool(true), .bool(true), .bool(false), .int(1), .int(2), .string("E"), ["k": [nil, 1]]])
        }

        private mutating func value(_ depth: Int = 0) -> SelectionPlan.Value {
            switch Int.random(in: 0..<(depth < 2 ? 8 : 6), using: &generator) {
            case 0, 1: .constant(constant())
            case 6: .list((0..<Int.random(in: 1...2, using: &generator)).map { _ in value(depth + 1) })
            case 7: .object(["k", "l"].filter { _ in chance(2) }.map { .init(name: $0, value: value(depth + 1)) })
            default: .variable(pick(Self.names))
            }
        }

        private mutating func items(_ level: Int, _ depth: Int) -> [SelectionPlan.Item] {
            (0..<Int.random(in: 1...4, using: &generator)).map { index in
                var condition: SelectionPlan.Condition?
                if chance(3) {
                    let literals = (0..<Int.random(in: 1...2, using: &generator)).map { _ in
                        SelectionPlan.Condition.Literal(variable: pick(Self.names), isNegated: chance(2))
                    }
                    condition = .init(alternatives: chance(2) ? [literals] : literals.map { [$0] })
                }
                switch Int.random(in: 0..<6, using: &generator) {
                case 0 where depth < 2:
                    return .init(
                        condition: condition,
                        kind: .field(
                            .init(
                                responseKey: "o\(index)", name: "o", arguments: fieldArguments(),
                                type: .named(.object("T", implementsNode: false)),
                                selections: items(level, depth + 1))))
                case 1 where depth < 2:
                    return .init(condition: condition, kind: .inline(nil, items(level, depth + 1)))
                case 2, 3, 4:
                    let later = Array((level + 1)..<fragments.count)
                    guard !later.isEmpty else { break }
                    let number = pick(later)
                    let arguments = Self.names.filter { _ in chance(2) }.map {
                        SelectionPlan.Argument(name: $0, value: value())
                    }
                    return .init(condition: condition, kind: .spread(name: "F\(number)", arguments: arguments, nil))
                default: break
                }
                return .init(
                    condition: condition,
                    kind: .field(
                        .init(
                            responseKey: "f\(index)", name: "f", arguments: fieldArguments(), type: .named(.string),
                            selections: [])))
            }
        }

        /// The compiler leaves out the argument of a field that is a literal null.
        private mutating func fieldArguments() -> [SelectionPlan.Argument] {
            ["x", "y"].filter { _ in chance(2) }.map { .init(name: $0, value: value()) }
                .filter { $0.value != .constant(.null) }
        }

        private mutating func program() -> Definition {
            fragments = (0..<4).map { _ in Definition(variables: [], items: []) }
            for level in fragments.indices.reversed() {
                fragments[level].items = items(level, 0)
                fragments[level].variables = Self.names.filter { _ in chance(2) }.map {
                    .init(name: $0, defaultValue: chance(2) ? nil : constant())
                }
            }
            sent = [:]
            for name in Self.names where !chance(3) { sent[name] = constant() }
            return Definition(variables: Self.names.map { .init(name: $0, defaultValue: nil) }, items: items(-1, 0))
        }

        // MARK: - The naive meaning

        private func value(_ value: SelectionPlan.Value) -> JSONValue? {
            switch value {
            case .variable(let name): return sent[name]
            case .constant(let value): return value
            case .list(let values): return .array(values.map { self.value($0) ?? .null })
            case .object(let members):
                return .object(
                    members.compactMap { member in
                        self.value(member.value).map { JSONValue.Member(member.name, $0) }
                    })
            }
        }

        /// Replaces the arguments of a fragment. A literal null in the place of a variable is left out of objects.
        private func replaced(_ value: SelectionPlan.Value, in scope: Scope) -> SelectionPlan.Value {
            func isKept(_ value: SelectionPlan.Value) -> Bool {
                if case .variable(let name) = value { scope[name] != .constant(.null) } else { true }
            }
            return switch value {
            case .variable(let name): scope[name] ?? value
            case .constant: value
            case .list(let values): .list(values.map { replaced($0, in: scope) })
            case .object(let members):
                .object(
                    members.filter { isKept($0.value) }
                        .map { .init(name: $0.name, value: replaced($0.value, in: scope)) })
            }
        }

        private func replaced(_ arguments: [SelectionPlan.Argument], in scope: Scope) -> [SelectionPlan.Argument] {
            arguments.map { .init(name: $0.name, value: replaced($0.value, in: scope)) }
                .filter { $0.value != .constant(.null) }
        }

        private func holds(_ item: SelectionPlan.Item, in scope: Scope) -> Bool {
            guard let condition = item.condition else { return true }
            return condition.alternatives.contains { literals in
                literals.allSatisfy {
                    (value(replaced(.variable($0.variable), in: scope)) == true) != $0.isNegated
                }
            }
        }

        private func scope(
            of fragment: Definition, _ arguments: [SelectionPlan.Argument], in outer: Scope
        ) -> Scope {
            var scope: Scope = [:]
            for argument in fragment.variables {
                let given = arguments.first { $0.name == argument.name }.map { replaced($0.value, in: outer) }
                scope[argument.name] = given ?? .constant(.null)
                if given ?? .constant(.null) == .constant(.null), let value = argument.defaultValue, value != .null {
                    scope[argument.name] = .constant(value)
                }
            }
            return scope
        }

        private func key(_ field: SelectionPlan.Field, in scope: Scope) -> String {
            let arguments = replaced(field.arguments, in: scope)
            return StorageKey(
                field.name, arguments.compactMap { argument in value(argument.value).map { (argument.name, $0) } }
            ).rawValue
        }

        /// Returns what the operation selects, and the response: each leaf has its key as its value.
        private mutating func flat(
            _ items: [SelectionPlan.Item], in scope: Scope
        ) -> (items: [SelectionPlan.Item], answer: [JSONValue.Member]) {
            var all: (items: [SelectionPlan.Item], answer: [JSONValue.Member]) = ([], [])
            for item in items where holds(item, in: scope) {
                switch item.kind {
                case .inline(_, let items):
                    let inner = flat(items, in: scope)
                    all = (all.items + inner.items, all.answer + inner.answer)
                case .spread(let name, let arguments, _):
                    let fragment = fragments[Int(name.dropFirst()) ?? 0]
                    let inner = flat(fragment.items, in: self.scope(of: fragment, arguments, in: scope))
                    all = (all.items + inner.items, all.answer + inner.answer)
                case .field(let field):
                    responseKeys += 1
                    let inner = flat(field.selections, in: scope)
                    let written = SelectionPlan.Field(
                        responseKey: "r\(responseKeys)", name: field.name,
                        arguments: replaced(field.arguments, in: scope), type: field.type, selections: inner.items)
                    all.items.append(.init(condition: nil, kind: .field(written)))
                    let value =
                        field.type.named.isComposite ? JSONValue.object(inner.answer) : .string(key(field, in: scope))
                    all.answer.append(.init(written.responseKey, value))
                }
            }
            return all
        }

        // MARK: - The comparison

        mutating func run() throws {
            let query = program()
            artifacts = fragments.enumerated().map { number, fragment in
                .init(name: "F\(number)", typeCondition: "T", reader: .init(fragment.text))
            }
            let (items, answer) = flat(query.items, in: [:])
            let normalization = Definition(variables: query.variables, items: items).text
            let store = Store()
            let operation = store.bind(
                .init(name: "Q", kind: .query, text: "", normalization: normalization, reader: query.text),
                variables: .object(sent.map { .init($0.key, $0.value) }))
            try store.write(JSONValue.object([.init("data", .object(answer))]).text, for: operation)
            let program = "\(query.text) \(fragments.map(\.text)) \(sent)"
            let row = try #require(store.read(AnyData.self, of: operation).data, "\(program)").__row
            try compare(row, query.items, in: [:], store, program)
        }

        private mutating func compare(
            _ row: GeneratedCode.Row, _ items: [SelectionPlan.Item], in scope: Scope, _ store: Store, _ program: String
        ) throws {
            for (place, item) in items.enumerated() {
                let isSelected = holds(item, in: scope)
                switch item.kind {
                case .inline(_, let items):
                    let inner: AnyData? = row.inlineFragment(place)
                    #expect((inner != nil) == isSelected, "\(program)")
                    if let inner { try compare(inner.__row, items, in: scope, store, program) }
                case .field(let field) where field.type.named.isComposite:
                    let inner: AnyData? = row.optionalObject(place)
                    #expect((inner != nil) == isSelected, "\(program)")
                    if let inner { try compare(inner.__row, field.selections, in: scope, store, program) }
                case .field(let field):
                    leaves += 1
                    #expect(row.optionalString(place) == (isSelected ? key(field, in: scope) : nil), "\(program)")
                case .spread(let name, let arguments, _):
                    #expect(row.matches(place) == isSelected, "\(program)")
                    guard isSelected else { continue }
                    if !arguments.isEmpty { passing += 1 }
                    let number = Int(name.dropFirst()) ?? 0
                    let bound = try #require(store.bind(row.target(place), artifacts[number]))
                    let read = store.records.read(at: bound.record, bound.selections)
                    #expect(!read.isMissingData, "\(program)")
                    let inner = self.scope(of: fragments[number], arguments, in: scope)
                    try compare(try #require(read.row), fragments[number].items, in: inner, store, program)
                }
            }
        }
    }
}
