import BatonTesting
import Dispatch
import Foundation

/// Executes operations in a world, as many at a time as there are processors.
///
/// An answer in the making is many times as large as its text, so that the gate bounds memory too.
final class Executor: Sendable {
    /// Nil if there is no schema, and all answers are recorded.
    let world: World?
    /// What the answers of clients who read slowly may take.
    let budget = MemoryBudget()
    private let gate: DispatchSemaphore

    init(_ world: World?, atOnce count: Int = max(2, ProcessInfo.processInfo.activeProcessorCount)) {
        self.world = world
        gate = DispatchSemaphore(value: count)
    }

    /// The operation that a call asks for; nil if it cannot be executed.
    func operation(_ call: GraphQLCall) -> World.ServedOperation? {
        pass { world?.operation(of: call.text, named: call.operationName) }
    }

    /// The whole answer of a query or a mutation, or what is wrong with the call.
    func answer(_ call: GraphQLCall) -> Payload {
        pass {
            guard let world else { return Self.nothing }
            return Payload(
                world.service.execute(call.text, operationName: call.operationName, variables: call.variables), budget)
        }
    }

    /// The payloads of the answer of a query or a mutation.
    func parts(_ call: GraphQLCall, as format: LocalService.IncrementalFormat) -> [Payload] {
        pass {
            guard let world else { return [Self.nothing] }
            return world.executeInParts(
                call.text, operationName: call.operationName, variables: call.variables, as: format
            ).map { Payload($0, budget) }
        }
    }

    /// The answer of a subscription to one of its events.
    func event(_ number: Int, of call: GraphQLCall) -> Payload {
        pass {
            guard let world else { return Self.nothing }
            return Payload(
                world.execute(
                    event: number, of: call.text, operationName: call.operationName, variables: call.variables),
                budget)
        }
    }

    private static let nothing = Payload(refusal: "The server has no schema. Start it with '--schema'.")

    private func pass<Result>(_ body: () -> Result) -> Result {
        gate.wait()
        defer { gate.signal() }
        return body()
    }
}
