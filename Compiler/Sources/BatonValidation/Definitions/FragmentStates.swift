import BatonSyntax

/// Decides whether fragments that spread each other in a circle do so without end, or whether an argument ends the
/// circle.
///
///     fragment Person on User @argumentDefinitions(deep: {type: "Boolean!", defaultValue: false}) {
///       name friend @include(if: $deep) { ...Person }
///     }
///
/// A state is a fragment with the values of its Boolean arguments, if they are constants. A spread leads from one state
/// to another, unless a constant switches the spread off.
struct FragmentStates {
    private struct State: Hashable {
        let fragment: Int
        let values: [String: Bool]
    }

    /// A spread in a fragment, with the conditions around it and the values that it passes.
    private struct Edge {
        let target: Int
        let conditions: [(value: Value, isSkip: Bool)]
        let passed: [Argument]
    }

    private let definitions: DefinitionTable
    private let members: Set<Int>
    private var edges: [Int: [Edge]] = [:]

    /// The largest number of states that are visited. A circle with more states counts as endless.
    private static let limit = 2_000

    /// `members` are the fragments of the circle.
    init(_ definitions: DefinitionTable, _ members: Set<Int>) {
        self.definitions = definitions
        self.members = members
        for index in members {
            var found: [Edge] = []
            collect(definitions.fragments[index].definition.selectionSet, in: index, under: [], &found)
            edges[index] = found
        }
    }

    /// Whether a fragment with unknown arguments leads to a state that leads back to itself.
    mutating func lead(backTo fragment: Int) -> Bool {
        if edges.values.allSatisfy({ $0.allSatisfy(\.conditions.isEmpty) }) { return true }
        var open: Set<State> = []
        var done: Set<State> = []
        let start = State(fragment: fragment, values: [:])
        var path: [(state: State, next: [State])] = [(start, targets(of: start))]
        open.insert(start)
        while var top = path.popLast() {
            guard let next = top.next.popLast() else {
                open.remove(top.state)
                done.insert(top.state)
                continue
            }
            path.append(top)
            if open.contains(next) || done.count + path.count > Self.limit { return true }
            if done.contains(next) { continue }
            open.insert(next)
            path.append((next, targets(of: next)))
        }
        return false
    }

    private func targets(of state: State) -> [State] {
        (edges[state.fragment] ?? []).compactMap { edge in
            for condition in edge.conditions {
                if constant(condition.value, in: state) == condition.isSkip { return nil }
            }
            var values: [String: Bool] = [:]
            for (name, argument) in definitions.fragments[edge.target].arguments ?? [:] where !argument.isProvided {
                let given = edge.passed.first { $0.name.text == name }?.value
                let value = given.flatMap { $0.isNull ? nil : $0 } ?? argument.defaultValue
                if let value { values[name] = constant(value, in: state) }
            }
            return State(fragment: edge.target, values: values)
        }
    }

    /// The constant Boolean of a value in a state; nil if the value is unknown.
    private func constant(_ value: Value, in state: State) -> Bool? {
        switch value {
        case .boolean(let literal): literal.isTrue
        case .variable(let variable): state.values[variable.name]
        default: nil
        }
    }

    /// The parser's nesting limit bounds the recursion.
    private func collect(
        _ set: SelectionSet, in fragment: Int, under conditions: [(value: Value, isSkip: Bool)], _ found: inout [Edge]
    ) {
        for selection in set.selections {
            switch selection {
            case .field(let field):
                guard let inner = field.selectionSet else { continue }
                collect(
                    inner, in: fragment, under: conditions + self.conditions(field.directives, in: fragment), &found)
            case .inlineFragment(let inline):
                let inner = conditions + self.conditions(inline.directives, in: fragment)
                collect(inline.selectionSet, in: fragment, under: inner, &found)
            case .fragmentSpread(let spread):
                guard
                    let target = definitions.fragment(
                        named: spread.name.text, spreadIn: definitions.fragments[fragment].document),
                    members.contains(target)
                else { continue }
                let passing = spread.directives.first { Traversal.passesArguments($0) }
                found.append(
                    Edge(
                        target: target, conditions: conditions + self.conditions(spread.directives, in: fragment),
                        passed: passing?.arguments ?? []))
            }
        }
    }

    /// The conditions that depend on an argument of the fragment.
    private func conditions(_ directives: [Directive], in fragment: Int) -> [(value: Value, isSkip: Bool)] {
        directives.compactMap { directive in
            let isSkip = directive.name.text == "skip"
            guard isSkip || directive.name.text == "include", let value = directive.argument("if"),
                case .variable(let variable) = value,
                definitions.fragments[fragment].arguments?[variable.name]?.isProvided == false
            else { return nil }
            return (value, isSkip)
        }
    }
}
