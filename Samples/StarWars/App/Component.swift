import Baton

/// A part of a screen. It reads one fragment, and renders again only after its own data has changed.
///
/// A component belongs to the app's actor.
final class Component<Fragment: GraphQLFragment> {
    typealias Render = (_ data: Fragment.Data, _ width: Int) -> [StyledLine]

    let reference: FragmentReference<Fragment>
    private let handle: FragmentHandle<Fragment>
    private let render: Render
    private var rendered: (width: Int, lines: [StyledLine], changed: TrackedChange)?

    init(_ reference: FragmentReference<Fragment>, in app: isolated App, render: @escaping Render) {
        self.reference = reference
        self.render = render
        handle = FragmentHandle(reference, in: app.environment)
    }

    /// The current data of the fragment.
    var data: Fragment.Data? { handle.get().data }

    /// The lines of the component; the earlier lines if neither data nor width has changed.
    func lines(width: Int, in app: isolated App) -> [StyledLine] {
        if let rendered, rendered.width == width, !rendered.changed.hasChanged { return rendered.lines }
        let (lines, changed) = app.environment.track { draw(width: width) }
        rendered = (width, lines, changed)
        app.display(after: changed)
        return lines
    }

    private func draw(width: Int) -> [StyledLine] {
        switch handle.get() {
        case .loading: [StyledLine("...", .dim)]
        case .failure(let error): [StyledLine(error.description)]
        case .success(let data): data.map { render($0, width) } ?? []
        }
    }
}

/// The components of a list or of an optional part. A component is kept while its reference is shown.
struct ComponentList<Fragment: GraphQLFragment> {
    private(set) var components: [Component<Fragment>] = []
    private let render: Component<Fragment>.Render

    init(_ render: @escaping Component<Fragment>.Render) {
        self.render = render
    }

    /// Makes components for new references, and drops components whose references are gone.
    mutating func show(_ references: [FragmentReference<Fragment>], in app: isolated App) {
        guard references != components.map(\.reference) else { return }
        var old = components
        components = references.map { reference in
            guard let index = old.firstIndex(where: { $0.reference == reference }) else {
                return Component(reference, in: app, render: render)
            }
            return old.remove(at: index)
        }
    }

    /// The lines of all components in order.
    func lines(width: Int, in app: isolated App) -> [StyledLine] {
        var lines: [StyledLine] = []
        for component in components { lines += component.lines(width: width, in: app) }
        return lines
    }
}
