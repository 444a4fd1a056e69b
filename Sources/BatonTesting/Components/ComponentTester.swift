public import Baton

/// Draws components as an app does, and says which were drawn, how often, and why.
///
///     let tester = ComponentTester(mock)
///     let rows = films.map { film in tester.render(film.fragments.filmRow_film) { "\($0.title) \($0.year)" } }
///     #expect(rows[0].frame == "Hope 1977")
///
///     try mock.environment.update { try $0.get("Film", id: "Film:1")?.setValue("Dawn", forField: "title") }
///     try await tester.expectDrawn("FilmRow_film of Film:1")              // and nothing else
///     #expect(rows[0].frame == "Dawn 1977")
///
/// Every frame of the environment counts, whoever draws it: those of the tester, of a `RenderedComponent`, and of the
/// toolkit for terminals. A component is named by what it has read first, unless it has a name of its own.
///
/// The tester belongs to the actor that draws. It uses no test framework, so it works with each, and in an app.
public final class ComponentTester {
    /// The environment of the components.
    public let environment: RelayEnvironment
    private let log: FrameLog
    private var components: [any Redrawable] = []

    /// The greatest number of times that everything is drawn in one update.
    private static let mostPasses = 100

    /// Tests components of an environment. What is drawn from now on counts.
    public init(in environment: RelayEnvironment) {
        self.environment = environment
        log = FrameLog(environment)
    }

    /// Tests components of a test's environment.
    public convenience init(_ mock: MockEnvironment) { self.init(in: mock.environment) }

    // MARK: - Drawing

    /// Draws a component, and again in each ``update(isolation:)`` after something has changed that it has read. A
    /// closure that draws a screen is also called after a change of a component in it.
    ///
    /// - Parameters:
    ///   - name: The name of the component; without one it is that of what the closure reads first.
    ///   - body: Draws a frame of any type, by handles or by `environment.read`.
    @discardableResult
    public func render<Frame>(_ name: String? = nil, _ body: @escaping () -> Frame) -> TestedComponent<Frame> {
        let component = TestedComponent(name, in: environment, log, body)
        components.append(component)
        return component
    }

    /// Draws a component of one fragment. The frame is nil as long as the fragment has no data.
    @discardableResult
    public func render<Fragment: GraphQLFragment, Frame>(
        _ reference: FragmentReference<Fragment>, _ body: @escaping (Fragment.Data) -> Frame
    ) -> TestedComponent<Frame?> {
        let handle = FragmentHandle(reference, in: environment)
        return render { handle.get().data.map(body) }
    }

    /// Waits until the environment has nothing left to do (`settle`), and draws what is out of date, until nothing is.
    ///
    /// Returns what was drawn since the last call, by the tester and by others.
    @discardableResult
    public func update(isolation: isolated (any Actor)? = #isolation) async -> DrawnComponents {
        for _ in 0..<Self.mostPasses {
            await settle(environment)
            var isDrawn = false
            for component in components where component.redraw() { isDrawn = true }
            if !isDrawn { return DrawnComponents(log.take()) }
        }
        return DrawnComponents(log.take(), hasNoEnd: true)
    }

    /// Updates, and expects that these components were drawn since the last update, each as often as it is named, and
    /// no others. Without names it expects that nothing was drawn.
    ///
    /// - Throws: ``MockFailure`` with what was drawn, and why.
    @discardableResult
    public func expectDrawn(
        _ names: String..., isolation: isolated (any Actor)? = #isolation
    ) async throws(MockFailure) -> DrawnComponents {
        let drawn = await update()
        var missing: [String] = []
        var others = drawn.map { $0 }
        for name in names {
            if let index = others.firstIndex(where: { $0.name == name }) {
                others.remove(at: index)
            } else {
                missing.append(name)
            }
        }
        if missing.isEmpty, others.isEmpty, !drawn.hasNoEnd { return drawn }
        let lines =
            missing.map { "'\($0)' was not drawn" }
            + others.map { "'\($0.name)' was drawn\(names.contains($0.name) ? " once more" : "")" }
        let all = drawn.isEmpty ? "nothing was drawn" : "drawn was:\n\(drawn)"
        throw MockFailure(CountedNames.renumbered((lines + [all]).joined(separator: "\n")))
    }
}
