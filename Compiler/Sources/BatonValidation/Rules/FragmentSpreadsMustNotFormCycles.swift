import BatonDiagnostics
import BatonSyntax

extension ValidationRule {
    static let fragmentSpreadsMustNotFormCycles = ValidationRule(
        .fragments, "FragmentSpreadsMustNotFormCycles",
        .visited { $0.checkFragmentCycles() })
}

/// A fragment on the current path.
private struct Step {
    let fragment: Int
    /// The number of the next spread to be followed.
    var next = 0
    /// The first position on the path to which a cycle through this fragment leads back.
    var cycleStart = Int.max
}

extension Traversal {
    /// Checks that no fragment contains itself, directly or through others. Each cycle is reported once, at the spread
    /// that closes it. A cycle that the arguments of a fragment end is no mistake, because each list of arguments makes
    /// a copy of the fragment in the text of the request. The path is an explicit stack, because a chain of fragments
    /// may be longer than the thread's stack allows.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Fragment-spreads-must-not-form-cycles
    func checkFragmentCycles() {
        enum Visit {
            case new
            case open(position: Int)
            case done
        }
        var visits = [Visit](repeating: .new, count: definitions.fragments.count)
        for start in definitions.fragments.indices {
            guard case .new = visits[start] else { continue }
            var path = [Step(fragment: start)]
            visits[start] = .open(position: 0)
            while let top = path.last {
                let spreads = definitions.fragments[top.fragment].facts.spreads
                guard top.next < spreads.count else {
                    visits[top.fragment] = .done
                    path.removeLast()
                    leave(top, at: path.count)
                    if let last = path.indices.last {
                        path[last].cycleStart = min(path[last].cycleStart, top.cycleStart)
                    }
                    continue
                }
                let last = path.count - 1
                path[last].next += 1
                let target = spreads[top.next].fragment
                switch visits[target] {
                case .new:
                    visits[target] = .open(position: path.count)
                    path.append(Step(fragment: target))
                case .open(let position):
                    let members = Set(path[position...].map(\.fragment))
                    var states = FragmentStates(definitions, members)
                    if !states.lead(backTo: target) { break }
                    path[last].cycleStart = min(top.cycleStart, position)
                    reportCycle(path[position...], of: target)
                case .done: break
                }
            }
        }
    }

    /// Marks a fragment on a reported cycle, so that it is not also reported as unused.
    private func leave(_ step: Step, at position: Int) {
        guard step.cycleStart <= position else { return }
        excusedFragments.insert(definitions.fragments[step.fragment].definition.name.text)
    }

    private func reportCycle(_ steps: ArraySlice<Step>, of fragment: Int) {
        let shown = steps.dropLast().prefix(5).map(spread)
        guard let last = steps.last.map(spread) else { return }
        func name(_ fragment: Int) -> String { definitions.fragments[fragment].definition.name.text }
        let through = shown.map { "'\(name($0.fragment))'" }.joined(separator: ", ")
        report(
            .fragmentCycle,
            "fragment '\(name(fragment))' spreads itself" + (shown.isEmpty ? "" : " through \(through)"),
            at: last.span,
            notes: shown.map { .init("spreads '\(name($0.fragment))' here", at: $0.span) }
        )
    }

    /// The spread that leads from a fragment on the path to the next one.
    private func spread(_ step: Step) -> SpreadUse {
        definitions.fragments[step.fragment].facts.spreads[step.next - 1]
    }
}
