import Baton
import BatonHTTP
import HarbourOperations
import Testing

/// Subscriptions over HTTP: as multipart and as event streams.
@Suite(.withServers, .timeLimit(.minutes(20)))
struct SubscriptionTests {
    /// A server and the form of its stream.
    enum Form: CaseIterable {
        case multipart, eventStream, eventStreamOfAriadne, multipartOfMock, eventStreamOfMock

        static let allCases: [Form] =
            [.multipart, .eventStream, .eventStreamOfAriadne]
            + (Server.mocks.isEmpty ? [] : [.multipartOfMock, .eventStreamOfMock])

        var server: Server {
            switch self {
            case .multipart, .eventStream: .strawberry
            case .eventStreamOfAriadne: .ariadne
            case .multipartOfMock, .eventStreamOfMock: .mock
            }
        }

        var configuration: RequestConfiguration {
            [.multipart, .multipartOfMock].contains(self)
                ? RequestConfiguration() : RequestConfiguration(headers: ["Accept": "text/event-stream"])
        }
    }

    @Test(arguments: TransportKind.allCases, Form.allCases)
    func eventsComeInOrderAndEnd(_ transport: TransportKind, _ form: Form) async throws {
        let visit = try Visit(form.server, transport)
        let events = visit.environment.subscribe(
            TicksSubscription(count: 5, delay: 20), configuration: form.configuration)
        let ticks = try await events.reduce(into: []) { $0.append($1.data?.ticks) }
        #expect(ticks == [1, 2, 3, 4, 5])
    }

    @Test(arguments: TransportKind.allCases, Form.allCases)
    func anErrorInMidstreamIsToldAfterTheEvents(_ transport: TransportKind, _ form: Form) async throws {
        let visit = try Visit(form.server, transport)
        var ticks: [Int] = []
        var messages: [String] = []
        do {
            let subscription = TicksSubscription(count: 5, delay: 20, failAt: 3)
            for try await event in visit.environment.subscribe(subscription, configuration: form.configuration) {
                if let tick = event.data?.ticks { ticks.append(tick) }
                messages += event.errors.map(\.message)
            }
        } catch {
            messages += error.graphQLErrors.map(\.message)
        }
        #expect(ticks == [1, 2])
        #expect(messages == ["the clock has stopped"])
    }

    @Test(arguments: TransportKind.allCases, Form.allCases.filter(\.server.hasLogbook))
    func leavingClosesTheConnection(_ transport: TransportKind, _ form: Form) async throws {
        let visit = try Visit(form.server, transport)
        do {
            var events = visit.environment
                .subscribe(TicksSubscription(count: 100_000, delay: 50), configuration: form.configuration)
                .makeAsyncIterator()
            #expect(try await events.next()?.data?.ticks == 1)
        }
        #expect(try await visit.entries(1, "abandoned").map(\.outcome) == ["abandoned"])
    }

    @Test(arguments: TransportKind.allCases, Form.allCases)
    func aCutStreamBeginsAgain(_ transport: TransportKind, _ form: Form) async throws {
        let policy = ReconnectPolicy(firstDelay: .milliseconds(10))
        let visit = try Visit(form.server, transport, ResubscribingInterceptor(policy))
        var events = visit.environment
            .subscribe(TicksSubscription(count: 100_000, delay: 50), configuration: form.configuration)
            .makeAsyncIterator()
        #expect(try await events.next()?.data?.ticks == 1)
        try await visit.drop()
        var (last, hasBegunAgain) = (1, false)
        while !hasBegunAgain, let tick = try await events.next()?.data?.ticks {
            (last, hasBegunAgain) = (tick, tick <= last)
        }
        #expect(hasBegunAgain)
        guard form.server.hasLogbook else { return }
        #expect(try await visit.entries(2).count == 2)
    }
}
