public import Baton

/// A component that was drawn, and why.
///
/// The description is a line: `FilmRow_film of Film:1: Film:1.title "Hope" -> "New Hope"`.
public struct DrawnComponent: Sendable, Hashable {
    /// A reason why a component was drawn.
    public enum Cause: Sendable, Hashable {
        /// The component was not drawn before.
        case first
        /// A field that the last frame shows has another value now. The values are texts: JSON, or the ids of records.
        case field(of: DataID, StorageKey, old: String, new: String)
        /// A record that the last frame shows is not there any more.
        case gone(DataID)
        /// A query or fragment shows something else: `loading`, `data`, `nothing`, or an error.
        case state(of: String, old: String, new: String)
        /// A request of a handle began or ended, or the handle was asked for something else.
        case status(of: String)
        /// A `RenderedComponent` has another input.
        case input
        /// Nothing that the last frame has read is different: the component was drawn without need.
        case nothing
    }

    /// The name of the component: its own, or what it has read first, such as `FilmRow_film of Film:1` or
    /// `FilmListQuery`.
    public let name: String
    /// Why it was drawn. Several changes may lead to one frame.
    public let causes: [Cause]
}

extension DrawnComponent: CustomStringConvertible {
    /// The name and the causes.
    public var description: String { "\(name): \(causes.map(\.description).joined(separator: ", "))" }
}

extension DrawnComponent.Cause: CustomStringConvertible {
    /// The cause in a few words.
    public var description: String {
        switch self {
        case .first: "drawn first"
        case .field(let id, let key, let old, let new): "\(id).\(key.rawValue) \(old.cut) -> \(new.cut)"
        case .gone(let id): "\(id) is gone"
        case .state(let name, let old, let new): "\(name) \(old.cut) -> \(new.cut)"
        case .status(let name): "the status of \(name)"
        case .input: "another input"
        case .nothing: "nothing that it has read has changed"
        }
    }
}

extension String {
    /// The text, shortened to what fits into a line with others.
    fileprivate var cut: String { count <= 60 ? self : prefix(57) + "..." }
}

/// The components that were drawn, in order. A component that was drawn twice is there twice.
public struct DrawnComponents: Sendable, Hashable, RandomAccessCollection, CustomStringConvertible {
    private let components: [DrawnComponent]
    /// True if the components are drawn again and again, so that there was no end to wait for.
    public let hasNoEnd: Bool

    init(_ components: [DrawnComponent], hasNoEnd: Bool = false) {
        self.components = components
        self.hasNoEnd = hasNoEnd
    }

    public var startIndex: Int { components.startIndex }
    public var endIndex: Int { components.endIndex }
    public subscript(position: Int) -> DrawnComponent { components[position] }

    /// The names of the components.
    public var names: [String] { components.map(\.name) }

    /// A line for each component. Identities that the process counts are numbered in the order of their appearance.
    public var description: String {
        var text = CountedNames.renumbered(components.map(\.description).joined(separator: "\n"))
        if hasNoEnd { text += "\nand so on without end: each frame changes what it has read" }
        return text
    }
}
