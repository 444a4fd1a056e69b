import Baton

/// Names a component towards the observers that it registers.
struct ComponentID: Hashable, Sendable {
    let number: Int
}

/// A part of a screen: it reads one fragment, and renders again only after it was told that its own data changed.
///
/// Lives on the app's actor.
final class Component<Fragment: GraphQLFragment> {
    typealias Render = (_ data: Fragment.Data, _ width: Int) -> [StyledLine]

    let reference: FragmentReference<Fragment>
    private let handle: FragmentHandle<Fragment>
    private let id: ComponentID
    private let render: Render
    private var rendered: (width: Int, lines: [StyledLine])?

    init(_ reference: FragmentReference<Fragment>, in app: isolated App, render: @escaping Render) {
        self.reference = reference
        self.render = render
        let id = app.nextComponentID()
        self.id = id
        handle = FragmentHandle(reference, in: app.environment)
        _ = handle.observe(on: app) { app, _ in app.componentDidChange(id) }
    }

    /// What the fragment holds now.
    var data: Fragment.Data? { handle.get().data }

    /// The lines of the component; rendered before if neither data nor width changed.
    func lines(width: Int, in app: isolated App) -> [StyledLine] {
        if !app.takeChange(of: id), let rendered, rendered.width == width { return rendered.lines }
        let lines: [StyledLine] =
            switch handle.get() {
            case .loading: [StyledLine("...", .dim)]
            case .failure(let error): [StyledLine(error.description)]
            case .success(let data): data.map { render($0, width) } ?? []
            }
        rendered = (width, lines)
        return lines
    }
}

/// The components of a list, or of a part that may be absent; each is kept as long as its reference is among those
/// shown.
struct ComponentList<Fragment: GraphQLFragment> {
    private(set) var components: [Component<Fragment>] = []
    private let render: Component<Fragment>.Render

    init(_ render: @escaping Component<Fragment>.Render) {
        self.render = render
    }

    /// Makes components for new references and drops those that are gone.
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

    /// The lines of all of them, one after the other.
    func lines(width: Int, in app: isolated App) -> [StyledLine] {
        var lines: [StyledLine] = []
        for component in components { lines += component.lines(width: width, in: app) }
        return lines
    }
}
