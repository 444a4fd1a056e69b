import RandomCases

@testable import Baton

/// A model of a store: records are dictionaries, operations are trees, and reachable records are found by walking.
struct ReachabilityModel {
    /// A selection set: the links to follow. `id` and `v` are always selected.
    struct Selection {
        var links: [(field: String, selection: Selection)] = []

        /// The selection as the text of a plan; the type of every object is `T`.
        var plan: String {
            let fields = links.map { link in
                let type = link.field == "many" ? "[+T]" : "+T"
                return "\(link.field):\(type)\(link.selection.plan)"
            }
            return "{\((["id:ID!", "v:Int"] + fields).joined(separator: " "))}"
        }
    }

    /// An operation's selection at a field of the root.
    struct Query {
        var field: String
        var selection: Selection

        var plan: String { "{\(field):+T\(selection.plan)}" }
        var artifact: GeneratedCode.OperationArtifact {
            .init(name: "Q", kind: .query, text: "", normalization: plan, reader: plan)
        }
    }

    struct Record: Equatable {
        var value: Int
        var one: String?
        var many: [String] = []
    }

    var records: [String: Record] = [:]
    var root: [String: String] = [:]

    static func selection(depth: Int, _ generator: inout SeededGenerator) -> Selection {
        var selection = Selection()
        guard depth > 0 else { return selection }
        if Bool.random(using: &generator) {
            selection.links.append(("one", Self.selection(depth: depth - 1, &generator)))
        }
        if Bool.random(using: &generator) {
            selection.links.append(("many", Self.selection(depth: depth - 1, &generator)))
        }
        return selection
    }

    /// Returns the records that queries reach. The walk remembers nothing, so a record may be visited many times.
    func reachable(by queries: [Query]) -> Set<String> {
        var found: Set<String> = []
        for query in queries {
            if let id = root[query.field] { walk(id, query.selection, &found) }
        }
        return found
    }

    private func walk(_ id: String, _ selection: Selection, _ found: inout Set<String>) {
        guard let record = records[id] else { return }
        found.insert(id)
        for link in selection.links {
            for target in link.field == "one" ? [record.one].compactMap({ $0 }) : record.many {
                walk(target, link.selection, &found)
            }
        }
    }
}
