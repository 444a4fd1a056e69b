import Baton

/// A component that consists of a fragment and a function that draws its data: a row of a list, or a part of a page.
///
///     let rows = FragmentComponent<FilmRow_film>(in: screen) { film, row in Text(film.title) }
///
///     List(films, state) { film, row in rows(film.fragments.filmRow_film, row) }
///
/// For each reference that is shown there is a handle, and it is drawn again when its own data or the state of the row
/// changes, and nothing else is. Data that is loading is shown as an ellipsis, and a failure as its text; the other
/// initializer leaves both to the function.
@MainActor
public final class FragmentComponent<Fragment: GraphQLFragment> {
    private typealias Rendered = RenderedFragment<Fragment, RowState, any Element>

    private let screen: Screen
    private let render: @Sendable (QueryResult<Fragment.Data>, RowState) -> any Element
    private var rendered: [FragmentReference<Fragment>: (component: Rendered, number: Int, lastFrame: Int)] = [:]

    /// Makes a component that draws the state of its fragment by this function.
    public init(
        in screen: Screen,
        result render: @escaping @Sendable (QueryResult<Fragment.Data>, RowState) -> any Element
    ) {
        self.screen = screen
        self.render = render
        screen.atEndOfFrame { [weak self] frame in
            self?.endFrame(frame)
            return self != nil
        }
    }

    /// Makes a component that draws the data of its fragment by this function.
    public convenience init(
        in screen: Screen, _ render: @escaping @Sendable (Fragment.Data, RowState) -> any Element
    ) {
        self.init(in: screen) { result, row in
            switch result {
            case .loading: Text("\u{2026}", .dim)
            case .failure(let error): Text(error.description, .color(.red))
            case .success(let data): data.map { render($0, row) } ?? Text("")
            }
        }
    }

    /// The element of one reference.
    public func callAsFunction(
        _ reference: FragmentReference<Fragment>, _ row: RowState = RowState()
    ) -> some Element {
        FragmentElement { [self] in element(reference, row) }
    }

    private func element(_ reference: FragmentReference<Fragment>, _ row: RowState) -> any Element {
        let frame = screen.frameNumber
        let (component, number) = rendered[reference].map { ($0.component, $0.number) } ?? add(reference)
        rendered[reference]?.lastFrame = frame
        return component.frame(row, on: MainActor.shared) { [weak screen] in
            screen?.note(.told(number))
            screen?.needsDisplay()
        }
    }

    private func add(_ reference: FragmentReference<Fragment>) -> (Rendered, Int) {
        let number = screen.nextComponent()
        let component = Rendered(reference, in: screen.environment) { [weak screen, render] result, row in
            MainActor.assumeIsolated { screen?.note(.drawn(number)) }
            return render(result, row)
        }
        rendered[reference] = (component, number, screen.frameNumber)
        return (component, number)
    }

    /// Drops what the frame has not shown, so that nobody is told of changes that are not seen.
    private func endFrame(_ frame: Int) {
        if rendered.values.contains(where: { $0.lastFrame < frame }) {
            rendered = rendered.filter { $0.value.lastFrame == frame }
        }
    }
}

/// The element of a fragment, which asks for its data when it is drawn.
private struct FragmentElement: Element {
    let element: @MainActor () -> any Element

    init(_ element: @escaping @MainActor () -> any Element) { self.element = element }

    func size(within limits: Size, of frame: Frame) -> Size { element().size(within: limits, of: frame) }
    func draw(in rect: Rect, of frame: Frame) { element().draw(in: rect, of: frame) }
    func flexibility(of frame: Frame) -> Flexibility { element().flexibility(of: frame) }
}
