public import Baton

extension GeneratedCode {
    /// What a builder changes at one place of an answer, and below it.
    ///
    /// The edits of an object are found by response keys. Those of an inline fragment or of a spread are edits of the
    /// same object.
    public struct Edits: Sendable {
        var node = Node.none

        indirect enum Node: Sendable {
            case none
            case null
            /// The JSON of a leaf, or of a list of leaves.
            case leaf(JSONValue)
            case object(ObjectEdits)
            case list(ListEdits)
        }

        /// Makes no edits.
        public init() {}

        init(_ node: Node) { self.node = node }
    }

    /// A struct that notes edits: of an object, or of a list of objects.
    public protocol EditBuilder: Sendable {
        // swift-format-ignore: AlwaysUseLowerCamelCase
        /// The edits so far.
        var __edits: GeneratedCode.Edits { get set }

        /// Goes on with these edits.
        init(__edits: GeneratedCode.Edits)
    }

    /// Ends the program. The getter that calls this is not available to anybody.
    public static func setOnly<Value>() -> Value { preconditionFailure("an edit can only be set") }
}

/// The edits of an object.
struct ObjectEdits: Sendable {
    /// The types that the object must have, the last wish last.
    var types: [String] = []
    var members: [String: GeneratedCode.Edits] = [:]
}

/// The edits of a list of objects.
struct ListEdits: Sendable {
    var count: Int?
    var items: [Int: GeneratedCode.Edits] = [:]
    var all = GeneratedCode.Edits()

    /// The smallest length that the list must have.
    var least: Int { (items.keys.max() ?? -1) + 1 }
}

// MARK: - Objects

extension GeneratedCode.Edits {
    private var object: ObjectEdits {
        get { if case .object(let object) = node { object } else { ObjectEdits() } }
        set { node = .object(newValue) }
    }

    /// The builder of an object or list that is not null.
    public subscript<Builder: GeneratedCode.EditBuilder>(key: String) -> Builder {
        get { Builder(__edits: object.members[key] ?? .init()) }
        set { object.members[key] = newValue.__edits }
    }

    /// The builder of an object or list; nil makes it null.
    public subscript<Builder: GeneratedCode.EditBuilder>(nullable key: String) -> Builder! {
        get { Builder(__edits: object.members[key] ?? .init()) }
        set { object.members[key] = newValue?.__edits ?? .init(.null) }
    }

    /// The builder of the same object under a type condition; the empty name is no condition.
    public subscript<Builder: GeneratedCode.EditBuilder>(on type: String) -> Builder {
        get { Builder(__edits: self) }
        set {
            self = newValue.__edits
            if !type.isEmpty { choose(type) }
        }
    }

    /// Chooses the object's type; an interface leaves the choice among its types.
    public mutating func choose(_ type: String) {
        object.types.removeAll { $0 == type }
        object.types.append(type)
    }

    /// Sets a leaf, or a list of leaves.
    public mutating func set(_ key: String, _ value: some GeneratedCode.Input) {
        object.members[key] = .init(value.jsonValue == .null ? .null : .leaf(value.jsonValue))
    }
}

// MARK: - Lists

extension GeneratedCode {
    /// Notes edits of a list whose items are not null.
    public struct ListBuilder<Item: EditBuilder>: EditBuilder {
        // swift-format-ignore: AlwaysUseLowerCamelCase
        /// The edits so far.
        public var __edits: Edits

        /// Goes on with these edits.
        public init(__edits: Edits) { self.__edits = __edits }

        /// The length of the list.
        public var count: Int {
            @available(*, unavailable, message: "the length of a list can only be set") get { setOnly() }
            set { __edits.list.count = max(newValue, 0) }
        }

        /// The item at an index. An edit of an item beyond the end makes the list longer.
        public subscript(index: Int) -> Item {
            get { Item(__edits: __edits.item(index)) }
            set { __edits.set(newValue.__edits, at: index) }
        }

        /// All items. What is edited at an index takes precedence.
        public var all: Item {
            get { Item(__edits: __edits.list.all) }
            set { __edits.list.all = newValue.__edits }
        }
    }

    /// Notes edits of a list whose items may be null.
    public struct NullableListBuilder<Item: EditBuilder>: EditBuilder {
        // swift-format-ignore: AlwaysUseLowerCamelCase
        /// The edits so far.
        public var __edits: Edits

        /// Goes on with these edits.
        public init(__edits: Edits) { self.__edits = __edits }

        /// The length of the list.
        public var count: Int {
            @available(*, unavailable, message: "the length of a list can only be set") get { setOnly() }
            set { __edits.list.count = max(newValue, 0) }
        }

        /// The item at an index; nil makes it null. An edit of an item beyond the end makes the list longer.
        public subscript(index: Int) -> Item! {
            get { Item(__edits: __edits.item(index)) }
            set { __edits.set(newValue?.__edits ?? .init(.null), at: index) }
        }

        /// All items. What is edited at an index takes precedence.
        public var all: Item {
            get { Item(__edits: __edits.list.all) }
            set { __edits.list.all = newValue.__edits }
        }
    }
}

extension GeneratedCode.Edits {
    fileprivate var list: ListEdits {
        get { if case .list(let list) = node { list } else { ListEdits() } }
        set { node = .list(newValue) }
    }

    fileprivate func item(_ index: Int) -> GeneratedCode.Edits { list.items[index] ?? .init() }

    /// No list has an item before the first.
    fileprivate mutating func set(_ edits: GeneratedCode.Edits, at index: Int) {
        if index >= 0 { list.items[index] = edits }
    }
}
