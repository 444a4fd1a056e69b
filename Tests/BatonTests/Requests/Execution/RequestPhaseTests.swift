import Testing

@testable import Baton

/// How far a request is, without a network and a store.
@Suite struct RequestPhaseTests {
    private enum Turn: Equatable {
        case first
        case later
        case none
    }

    private let operation = Store().bind(Films.FilmQuery(id: "1"))

    /// Begins to land a payload.
    private func begin(_ phase: inout RequestPhase) -> Turn {
        switch phase.beginLanding() {
        case .first: .first
        case .later: .later
        case .none: .none
        }
    }

    /// Ends the landing of a payload with another to follow; returns what has ended the request meanwhile.
    private func land(_ phase: inout RequestPhase, bytes: Int = 0) -> RelayError? {
        var received: ReceivedPayloads? = ReceivedPayloads(of: operation, filling: nil)
        received?.count(NetworkResponse(body: [UInt8](repeating: 32, count: bytes), hasNext: true))
        return phase.endLanding(&received)
    }

    @Test func onePayloadLandsAtATime() {
        var phase = RequestPhase.waiting
        let turns = [begin(&phase), begin(&phase)]
        #expect(turns == [.first, .none])
        let failure = land(&phase)
        let next = begin(&phase)
        #expect(failure == nil && next == .later)
    }

    @Test func whoeverEndsTheRequestFirstDoesSoAlone() {
        var phase = RequestPhase.waiting
        let ends = [phase.end(with: .cancelled), phase.end(with: .noResponse)]
        #expect(ends == [true, false])
        let turn = begin(&phase)
        let early = phase.endEarly()
        #expect(turn == .none && early == nil, "what comes afterwards is ignored")
    }

    @Test func theFirstFailureWhileAPayloadLandsEndsTheRequestAfterwards() {
        var phase = RequestPhase.waiting
        _ = begin(&phase)
        let ends = [phase.end(with: .cancelled), phase.end(with: .noResponse)]
        #expect(ends == [false, false])
        let failure = land(&phase)
        #expect(failure == .cancelled)
        let turn = begin(&phase)
        #expect(turn == .none)
    }

    @Test func aNetworkThatEndsEarlyIsAnErrorThatSaysHowMuchHasCome() {
        var silent = RequestPhase.waiting
        let nothing = silent.endEarly()
        #expect(nothing == .noResponse)
        var phase = RequestPhase.waiting
        _ = begin(&phase)
        _ = land(&phase, bytes: 7)
        let early = phase.endEarly()
        #expect(early == .transport(RelayError.StreamError.closedEarly(responses: 1, bytes: 7)))
    }
}
