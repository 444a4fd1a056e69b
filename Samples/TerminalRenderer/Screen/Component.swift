/// A part of a screen that is a function of its handles, and of what it keeps between frames.
///
///     final class FilmList: Component {
///         private let films: QueryHandle<FilmListQuery>
///         private let rows: FragmentComponent<FilmRow_film>
///         private let state = ListState()
///
///         var content: any Element {
///             List(films.get(first: 20).data?.films.nodes ?? [], state) { [rows] film, row in
///                 rows(film.fragments.filmRow_film, row)
///             }
///         }
///     }
///
/// The screen reads `content` when it draws the component first, after something has changed that it has read, and
/// after each input, since input may have changed what the component keeps. Otherwise it draws the elements that it
/// has.
@MainActor
public protocol Component: AnyObject, Sendable {
    /// What the component shows now.
    @ElementBuilder var content: any Element { get }
}

extension Component {
    /// The component as an element, to which a size or an overlay can be given. In a builder the component itself will
    /// do.
    public var element: some Element { ComponentElement(self) }
}

/// A component as an element of another one.
struct ComponentElement: Element {
    private let component: any Component

    init(_ component: any Component) { self.component = component }

    @MainActor
    private func content(of frame: Frame) -> any Element { frame.components.content(of: component) }

    func size(within limits: Size, of frame: Frame) -> Size { content(of: frame).size(within: limits, of: frame) }
    func draw(in rect: Rect, of frame: Frame) { content(of: frame).draw(in: rect, of: frame) }
    func flexibility(of frame: Frame) -> Flexibility { content(of: frame).flexibility(of: frame) }
}
