import BatonDiagnostics
import BatonSyntax

extension Traversal {
    /// No fragment contains itself, directly or through others. Each cycle is reported once, at the spread that closes
    /// it; the walk keeps its own stack, since a chain of fragments may be longer than ours is deep.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Fragment-spreads-must-not-form-cycles
    func checkFragmentCycles() {
        enum Visit {
            case new
            case open(position: Int)
            case done
        }
        var visits = [Visit](repeating: .new, count: program.fragments.count)
        for start in program.fragments.indices {
            guard case .new = visits[start] else { continue }
            var path: [(fragment: Int, next: Int)] = [(start, 0)]
            visits[start] = .open(position: 0)
            while let top = path.last {
                let spreads = program.fragments[top.fragment].facts.spreads
                guard top.next < spreads.count else {
                    visits[top.fragment] = .done
                    path.removeLast()
                    continue
                }
                path[path.count - 1].next += 1
                let spread = spreads[top.next]
                switch visits[spread.fragment] {
                case .new:
                    visits[spread.fragment] = .open(position: path.count)
                    path.append((spread.fragment, 0))
                case .open(let position):
                    reportCycle(
                        path[position...].map { program.fragments[$0.fragment].facts.spreads[$0.next - 1] },
                        of: spread.fragment
                    )
                case .done: break
                }
            }
        }
    }

    private func reportCycle(_ spreads: [SpreadUse], of fragment: Int) {
        guard let last = spreads.last else { return }
        for spread in spreads { excusedFragments.insert(program.fragments[spread.fragment].definition.name.text) }
        let name = program.fragments[fragment].definition.name.text
        let through = spreads.dropLast().map { "'\(program.fragments[$0.fragment].definition.name.text)'" }
        let way = through.isEmpty ? "" : " through " + through.prefix(5).joined(separator: ", ")
        report(
            .fragmentCycle,
            "fragment '\(name)' spreads itself\(way)",
            at: last.span,
            notes: spreads.dropLast().prefix(5).map {
                .init("spreads '\(program.fragments[$0.fragment].definition.name.text)' here", at: $0.span)
            }
        )
    }
}
