public import BatonTesting
public import Testing

/// Makes a `MockEnvironment` of `BatonTesting` for each test, and fails the test for what it leaves.
///
///     @Test(.mockEnvironment) func showsTheTitle() async throws {
///         let mock = try #require(MockEnvironment.current)
///         ...
///     }
///
/// On a suite, each test and each case has an environment of its own. After the test, each request that nobody has
/// answered, each queued answer that no request has taken, and each mistake in the log is an issue.
public struct MockEnvironmentTrait: TestTrait, SuiteTrait, TestScoping {
    private let make: @Sendable () async throws -> MockEnvironment

    /// The trait of a suite is that of its tests.
    public var isRecursive: Bool { true }

    init(_ make: @escaping @Sendable () async throws -> MockEnvironment) { self.make = make }

    /// Runs a test with an environment. Throws what the test throws, or the closure that makes the environment.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let mock = try await make()
        try await MockEnvironment.$current.withValue(mock) { try await function() }
        await settle(mock.environment)
        for leftover in mock.leftovers {
            Issue.record(Comment(rawValue: leftover), sourceLocation: test.sourceLocation)
        }
    }
}

extension Trait where Self == MockEnvironmentTrait {
    /// An environment without a world.
    public static var mockEnvironment: MockEnvironmentTrait { MockEnvironmentTrait { MockEnvironment() } }

    /// The environment that a closure makes for each test, over a world for example.
    public static func mockEnvironment(
        _ make: @escaping @Sendable () async throws -> MockEnvironment
    ) -> MockEnvironmentTrait {
        MockEnvironmentTrait(make)
    }
}
