import Testing

@Suite struct ValidationFixtureTests {
    static let topics: [String] = []
}
