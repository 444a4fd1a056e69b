import Testing

@testable import Baton

/// The machine alone, driven by scripts, without a store, a lock or a task.
@Suite struct PolicyMachineTests {
    static let error = RelayError.httpStatus(500, body: "")
    static let missing = Coverage.missing(MissingPlace(path: ["film"]))
    static let available = Coverage.available(fetchedAt: nil)

    enum Step {
        case changeVariables(Coverage, isFetched: Bool = false, mayShowStale: Bool = false)
        case refresh
        case changeKey(Coverage = available, isFetched: Bool = false)
        case refetch(Coverage = available)
        case retry(Coverage = available)
        case land(
            Int, PolicyMachine.Content = .object, [GraphQLError] = [], Coverage = available, hasNext: Bool = false)
        case fail(Int, Coverage)

        var event: PolicyMachine.Event {
            switch self {
            case .changeVariables(let availability, let isFetched, let mayShowStale):
                .variablesChanged(availability, isFetched: isFetched, mayShowStale: mayShowStale)
            case .refresh: .refreshed
            case .changeKey(let availability, let isFetched): .fetchKeyChanged(availability, isFetched: isFetched)
            case .refetch(let availability): .refetched(availability)
            case .retry(let availability): .retried(availability)
            case .land(let request, let content, let errors, let availability, let hasNext):
                .landed(request, content, errors: errors, availability, hasNext: hasNext)
            case .fail(let request, let availability): .failed(request, error, availability)
            }
        }
    }

    struct Script: CustomTestStringConvertible {
        let testDescription: String
        let policy: FetchPolicy
        let renderPolicy: RenderPolicy
        let steps: [(step: Step, effects: [PolicyMachine.Effect], phase: PolicyMachine.Phase, error: RelayError?)]

        init(
            _ name: String, _ policy: FetchPolicy, renderPolicy: RenderPolicy = .full,
            _ steps: [(Step, [PolicyMachine.Effect], PolicyMachine.Phase, RelayError?)]
        ) {
            testDescription = name
            self.policy = policy
            self.renderPolicy = renderPolicy
            self.steps = steps
        }
    }

    static let scripts: [Script] = [
        Script(
            "other variables abandon the request before them, whose answer is ignored", .networkOnly,
            [
                (.changeVariables(missing), [.start(1)], .loading, nil),
                (.changeVariables(missing), [.start(2), .abandon(1)], .loading, nil),
                (.land(1), [], .loading, nil),
                (.fail(1, missing), [], .loading, nil),
                (.land(2), [], .showing, nil),
            ]),
        Script(
            "a refetch begins its wait before it ends the one before, so that it can share", .storeAndNetwork,
            [
                (.changeVariables(available), [.start(1)], .showing, nil),
                (.changeKey(), [.start(2), .abandon(1)], .showing, nil),
                (.land(2), [], .showing, nil),
            ]),
        Script(
            "a key that was fetched starts nothing", .networkOnly,
            [
                (.changeVariables(available, isFetched: true), [], .showing, nil),
                (.changeKey(isFetched: true), [], .showing, nil),
                (.changeKey(), [.start(1)], .loading, nil),
            ]),
        Script(
            "a key that was fetched ends a failure", .networkOnly,
            [
                (.changeVariables(missing), [.start(1)], .loading, nil),
                (.fail(1, missing), [], .failed(error), error),
                (.changeKey(isFetched: true), [], .showing, nil),
            ]),
        Script(
            "a failure leaves complete data on show", .storeOrNetwork,
            [
                (.changeVariables(available), [], .showing, nil),
                (.refetch(), [.start(1)], .showing, nil),
                (.fail(1, available), [], .showing, error),
                (.retry(), [.start(2)], .showing, nil),
                (.land(2), [], .showing, nil),
                (.retry(), [], .showing, nil),
            ]),
        Script(
            "a failure replaces incomplete data", .storeAndNetwork,
            [
                (.changeVariables(available), [.start(1)], .showing, nil),
                (.fail(1, missing), [], .failed(error), error),
                (.retry(missing), [.start(2)], .loading, nil),
            ]),
        Script(
            "a refetch does not keep incomplete data on show", .storeOrNetwork,
            [
                (.changeVariables(available), [], .showing, nil),
                (.changeKey(missing), [.start(1)], .loading, nil),
                (.land(1), [], .showing, nil),
                (.refetch(.stale), [.start(2)], .showing, nil),
            ]),
        Script(
            "networkOrStore falls back on stale data", .networkOrStore,
            [
                (.changeVariables(.stale), [.start(1)], .loading, nil),
                (.fail(1, .stale), [], .showing, error),
            ]),
        Script(
            "networkOrStore falls back when the response is null", .networkOrStore,
            [
                (.changeVariables(available), [.start(1)], .loading, nil),
                (.land(1, .null), [], .showing, .noData([])),
                (.refetch(), [.start(2)], .loading, nil),
                (.land(2, .null, [], missing), [], .showingNull, nil),
            ]),
        Script(
            "null without errors is shown, with errors it is a failure", .networkOnly,
            [
                (.changeVariables(missing), [.start(1)], .loading, nil),
                (.land(1, .null), [], .showingNull, nil),
                (.refetch(), [.start(2)], .loading, nil),
                (
                    .land(2, .null, [GraphQLError(message: "no")], missing), [],
                    .failed(.noData([GraphQLError(message: "no")])), .noData([GraphQLError(message: "no")])
                ),
            ]),
        Script(
            "a request lasts until its last response", .networkOnly,
            [
                (.changeVariables(missing), [.start(1)], .loading, nil),
                (.land(1, hasNext: true), [], .showing, nil),
                (.changeVariables(missing), [.start(2), .abandon(1)], .loading, nil),
            ]),
        Script(
            "storeOnly never asks the network", .storeOnly,
            [
                (.changeVariables(missing), [], .showing, nil),
                (.changeKey(), [], .showing, nil),
                (.refetch(), [], .showing, nil),
                (.retry(), [], .showing, nil),
            ]),
        Script(
            "nothing is asked for before the first call", .networkOnly,
            [
                (.refetch(), [], .idle, nil),
                (.retry(), [], .idle, nil),
                (.refresh, [], .idle, nil),
            ]),
    ]

    static let freshScripts: [Script] = [
        Script(
            "parts are shown under a policy that looks into the store first", .storeOrNetwork, renderPolicy: .partial,
            [
                (.changeVariables(missing), [.start(1)], .showing, nil),
                (.refetch(missing), [.start(2), .abandon(1)], .showing, nil),
                (.fail(2, missing), [], .failed(error), error),
                (.retry(missing), [.start(3)], .loading, nil),
                (.land(3), [], .showing, nil),
                (.changeVariables(.stale), [.start(4)], .loading, nil),
            ]),
        Script(
            "parts are not shown under a policy that asks the network first", .networkOrStore, renderPolicy: .partial,
            [
                (.changeVariables(missing), [.start(1)], .loading, nil),
                (.fail(1, missing), [], .failed(error), error),
            ]),
        Script(
            "data that is a little too old is shown", .storeOrNetwork,
            [
                (.changeVariables(.stale, mayShowStale: true), [.start(1)], .showing, nil),
                (.fail(1, .stale), [], .showing, error),
            ]),
        Script(
            "a refresh leaves everything on show, also if it fails", .networkOnly,
            [
                (.changeVariables(missing), [.start(1)], .loading, nil),
                (.refresh, [.start(2), .abandon(1)], .loading, nil),
                (.fail(2, missing), [], .failed(error), error),
                (.refresh, [.start(3)], .failed(error), nil),
                (.fail(3, missing), [], .failed(error), error),
                (.refresh, [.start(4)], .failed(error), nil),
                (.land(4), [], .showing, nil),
                (.refresh, [.start(5)], .showing, nil),
                (.fail(5, missing), [], .showing, error),
                (.refresh, [.start(6)], .showing, nil),
                (
                    .land(6, .null, [GraphQLError(message: "no")], missing), [], .showing,
                    .noData([GraphQLError(message: "no")])
                ),
                (.refetch(), [.start(7)], .loading, nil),
                (.fail(7, missing), [], .failed(error), error),
            ]),
        Script(
            "storeOnly is never refreshed", .storeOnly,
            [
                (.changeVariables(missing), [], .showing, nil),
                (.refresh, [], .showing, nil),
            ]),
    ]

    @Test(arguments: scripts + freshScripts) func script(_ script: Script) {
        var machine = PolicyMachine(policy: script.policy, renderPolicy: script.renderPolicy)
        for (number, expected) in script.steps.enumerated() {
            let effects = machine.handle(expected.step.event)
            #expect(effects == expected.effects, "step \(number)")
            #expect(machine.phase == expected.phase, "step \(number)")
            #expect(machine.fetchError == expected.error, "step \(number)")
        }
    }
}
