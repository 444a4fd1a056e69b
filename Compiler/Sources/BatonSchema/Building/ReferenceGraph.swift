/// A directed graph of numbered nodes, for rules about definitions that refer to each other.
///
/// Searches use an explicit stack, so that chains of any length are followed. They cost time linear in nodes and edges.
struct ReferenceGraph {
    /// For each node, the targets of its edges.
    let targets: [[Int]]

    /// An edge: its node, and its number among the edges of the node.
    struct Step: Hashable {
        let node: Int
        var edge: Int
    }

    /// Edges that lead from a node back to the same node. Of a long cycle, only the first edges are kept.
    struct Cycle {
        let steps: [Step]
        /// The number of all edges of the cycle.
        let count: Int
    }

    private static let stepLimit = 8
    private static let cycleLimit = 500

    /// Returns one cycle for each back edge of a depth-first search; without these edges, the graph has no cycle. Nodes
    /// and edges with low numbers come first. At most `cycleLimit` cycles are returned.
    func independentCycles() -> [Cycle] {
        var cycles: [Cycle] = []
        var isFinished = [Bool](repeating: false, count: targets.count)
        var place = [Int?](repeating: nil, count: targets.count)
        for root in targets.indices where !isFinished[root] && cycles.count < Self.cycleLimit {
            // The edge of each step on the path is the next one to follow.
            var path = [Step(node: root, edge: 0)]
            place[root] = 0
            while let last = path.last, cycles.count < Self.cycleLimit {
                guard last.edge < targets[last.node].count else {
                    place[last.node] = nil
                    isFinished[last.node] = true
                    path.removeLast()
                    continue
                }
                path[path.count - 1].edge += 1
                let target = targets[last.node][last.edge]
                if let start = place[target] {
                    let steps = path[start...].prefix(Self.stepLimit).map { Step(node: $0.node, edge: $0.edge - 1) }
                    cycles.append(Cycle(steps: steps, count: path.count - start))
                } else if !isFinished[target] {
                    place[target] = path.count
                    path.append(Step(node: target, edge: 0))
                }
            }
        }
        return cycles
    }

    /// The strongly connected components: groups of nodes that all reach each other. A group comes before the groups
    /// with edges to it.
    func components() -> [[Int]] {
        var components: [[Int]] = []
        var order = [Int?](repeating: nil, count: targets.count)
        var lowest = [Int](repeating: 0, count: targets.count)
        var isOpen = [Bool](repeating: false, count: targets.count)
        var open: [Int] = []
        var count = 0
        for root in targets.indices where order[root] == nil {
            var path = [Step(node: root, edge: 0)]
            while let last = path.last {
                let node = last.node
                if last.edge == 0, order[node] == nil {
                    order[node] = count
                    lowest[node] = count
                    count += 1
                    open.append(node)
                    isOpen[node] = true
                }
                if last.edge < targets[node].count {
                    path[path.count - 1].edge += 1
                    let target = targets[node][last.edge]
                    if let reached = order[target] {
                        if isOpen[target] { lowest[node] = min(lowest[node], reached) }
                    } else {
                        path.append(Step(node: target, edge: 0))
                    }
                    continue
                }
                path.removeLast()
                if let parent = path.last?.node { lowest[parent] = min(lowest[parent], lowest[node]) }
                guard lowest[node] == order[node], let start = open.lastIndex(of: node) else { continue }
                components.append(open[start...].sorted())
                for member in open[start...] { isOpen[member] = false }
                open.removeSubrange(start...)
            }
        }
        return components
    }

    /// The components in which every node reaches itself.
    func cyclicComponents() -> [[Int]] {
        components().filter { component in
            component.count > 1 || component.contains { targets[$0].contains($0) }
        }
    }

    /// The shortest cycle through a node that stays within `nodes`; nil if there is none.
    func shortestCycle(through node: Int, in nodes: Set<Int>) -> Cycle? {
        var cameFrom: [Int: Step] = [:]
        var queue = [node]
        var next = 0
        while next < queue.count, cameFrom[node] == nil {
            let current = queue[next]
            next += 1
            for (edge, target) in targets[current].enumerated() where nodes.contains(target) && cameFrom[target] == nil
            {
                cameFrom[target] = Step(node: current, edge: edge)
                queue.append(target)
            }
        }
        var steps: [Step] = []
        var current = node
        while let step = cameFrom[current] {
            steps.append(step)
            current = step.node
            if current == node { break }
        }
        if steps.isEmpty { return nil }
        return Cycle(steps: Array(steps.reversed().prefix(Self.stepLimit)), count: steps.count)
    }
}
