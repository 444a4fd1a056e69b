import Baton
import RandomCases

/// A random operation with connections, handlers, edges for connections, and fragments and items that arrive later; and
/// the responses to the operation.
///
/// Every value of a response is computed from the object, the field and the round, so that all occurrences of a record
/// have equal fields.
struct PartsDocument {
    indirect enum Selection {
        case field(Field)
        /// A fragment. A fragment with a label arrives later.
        case fragment(label: String?, [Selection])
    }

    struct Field {
        let key: String
        /// True for the page that follows the page of `posts`.
        var isNext: Bool { key == "next" }
        /// The type with its marks, without those of streams.
        let type: String
        var stream: (label: String, initialCount: Int)?
        var selections: [Selection]?
    }

    /// An object of the responses.
    struct Object {
        let identity: String
        let type: String
    }

    enum Answer {
        case null
        case leaf(JSONValue)
        case object(Object)
        case list([Object?])
    }

    private var random: SeededGenerator
    /// Decides about second pages alone.
    private var pages: SeededGenerator
    private var labels = 0
    private(set) var selections: [Selection] = []
    /// The connection whose edges the operation adds to.
    static let target = DataID.connection(on: "9", key: "K")

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        pages = SeededGenerator(seed: ~seed)
        selections = root()
        if pages.chance(30) { addNextPages() }
    }

    // MARK: - Making

    private mutating func root() -> [Selection] {
        var result: [Selection] = []
        for name in ["me", "other"] where name == "me" || random.chance(50) {
            let user = user(depth: 0)
            result.append(.field(Field(key: name, type: "+User", stream: nil, selections: user)))
        }
        if random.chance(40) { result.append(.field(added())) }
        if random.chance(30) { result.append(later(user: "me")) }
        return result
    }

    private mutating func label() -> String {
        labels += 1
        return "L\(labels)"
    }

    /// A fragment on the root, or on a user, that arrives later.
    private mutating func later(user: String) -> Selection {
        let inner = Self.kept(self.user(depth: 1)) { _ in false }
        return .fragment(label: label(), [.field(Field(key: user, type: "+User", stream: nil, selections: inner))])
    }

    private mutating func some(_ names: [String], _ type: String) -> [Selection] {
        names.filter { _ in random.chance(50) }
            .map { .field(Field(key: $0, type: type, stream: nil, selections: nil)) }
    }

    private mutating func user(depth: Int) -> [Selection] {
        var result = [Selection.field(Field(key: "id", type: "ID!", stream: nil, selections: nil))]
        result += some(["name", "city"], "String")
        if random.chance(depth == 0 ? 60 : 40) { result.append(.field(posts())) }
        if random.chance(25) {
            let mark = "+User@handle(\"digest\",\"Best\")"
            result.append(.field(Field(key: "best", type: mark, stream: nil, selections: leaves(of: "User"))))
        }
        if depth < 2, random.chance(25) {
            let stream = (label(), random.below(3))
            result.append(
                .field(Field(key: "friends", type: "[+User]", stream: stream, selections: user(depth: depth + 2))))
        }
        for _ in 0..<random.below(depth > 0 ? 2 : 3) where depth < 2 {
            result.append(.fragment(label: random.chance(80) ? label() : nil, user(depth: depth + 1)))
        }
        return withoutSecondStreams(result)
    }

    /// Two streams of one field are invalid, so that only the first one stays.
    private func withoutSecondStreams(_ selections: [Selection]) -> [Selection] {
        var seen = false
        return Self.kept(selections) { _ in
            defer { seen = true }
            return !seen
        }
    }

    /// Adds second pages of the connection to the user that the operation begins with, or to fragments on it.
    private mutating func addNextPages() {
        guard case .field(var me)? = selections.first, let inner = me.selections else { return }
        me.selections = withNextPage(inner, depth: 0)
        selections[0] = .field(me)
    }

    private mutating func withNextPage(_ selections: [Selection], depth: Int) -> [Selection] {
        var result = selections.map { selection in
            guard case .fragment(let label, let inner) = selection else { return selection }
            return .fragment(label: label, withNextPage(inner, depth: depth + 1))
        }
        guard pages.chance(depth == 0 ? 60 : 30) else { return result }
        var inner = [edges(hasNode: true), pageInfo(isOfConnection: true)]
        if pages.chance(30) { inner.append(.fragment(label: label(), some(["total", "note"], "String"))) }
        if pages.chance(30) { inner += some(["total", "note"], "String") }
        let next = Selection.field(Field(key: "next", type: "Posts@connection(\"K\")", stream: nil, selections: inner))
        let isLater = pages.chance(60)
        result.insert(isLater ? .fragment(label: label(), [next]) : next, at: pages.below(result.count + 1))
        return result
    }

    /// The selections with those streams of the same object that are wanted.
    private static func kept(_ selections: [Selection], _ isWanted: (Field) -> Bool) -> [Selection] {
        selections.compactMap { selection in
            switch selection {
            case .field(let field): field.stream != nil && !isWanted(field) ? nil : selection
            case .fragment(let label, let inner): .fragment(label: label, kept(inner, isWanted))
            }
        }
    }

    private mutating func leaves(of type: String) -> [Selection] {
        let id = Selection.field(Field(key: "id", type: "ID!", stream: nil, selections: nil))
        var result = [id] + some(type == "User" ? ["name", "city"] : ["title", "rank"], "String")
        if random.chance(30) {
            result.append(.fragment(label: label(), [id] + some(["name", "city", "title", "rank"], "String")))
        }
        return result
    }

    /// A page of posts, which may be a connection or have a handler.
    private mutating func posts() -> Field {
        let mark = random.pick(["", "@connection(\"K\")", "@connection(\"K\")", "@handle(\"digest\",\"D\")"])
        let isConnection = mark.hasPrefix("@connection")
        var result = some(["total", "note"], "String")
        if isConnection || random.chance(60) { result.append(edges(hasNode: isConnection)) }
        if isConnection || random.chance(50) {
            let info = pageInfo(isOfConnection: isConnection)
            result.append(random.chance(30) ? .fragment(label: label(), [info]) : info)
        }
        for _ in 0..<random.below(3) where random.chance(50) {
            var inner = some(["total", "note"], "String")
            if random.chance(60) { inner.append(edges(hasNode: false)) }
            if random.chance(30) { inner.append(pageInfo(isOfConnection: false)) }
            result.append(.fragment(label: label(), inner))
        }
        return Field(key: "posts", type: "Posts\(mark)", stream: nil, selections: result)
    }

    /// The selections by which a connection can be continued, which the compiler adds.
    private mutating func pageInfo(isOfConnection: Bool) -> Selection {
        let cursors = some(["endCursor", "startCursor"], "String")
        let flags = some(["hasNextPage", "hasPreviousPage"], "Boolean")
        let always = [
            Field(key: "endCursor", type: "String", stream: nil, selections: nil),
            Field(key: "hasNextPage", type: "Boolean", stream: nil, selections: nil),
        ].map(Selection.field)
        return .field(
            Field(
                key: "pageInfo", type: "PageInfo", stream: nil,
                selections: isOfConnection ? always : cursors + flags))
    }

    private mutating func edges(hasNode: Bool) -> Selection {
        .field(Field(key: "edges", type: "[Edge]", stream: nil, selections: edge(hasNode: hasNode)))
    }

    private mutating func edge(hasNode: Bool) -> [Selection] {
        var result = some(["cursor", "weight"], "String")
        func node(_ model: inout Self) -> Selection {
            .field(Field(key: "node", type: "+Post", stream: nil, selections: model.leaves(of: "Post")))
        }
        if hasNode || random.chance(60) { result.append(node(&self)) }
        if random.chance(40) {
            var inner = some(["cursor", "weight"], "String")
            if random.chance(40) { inner.append(node(&self)) }
            result.append(.fragment(label: label(), inner))
        }
        return result
    }

    /// A field that adds its edge, or its post, to a connection.
    private mutating func added() -> Field {
        let connection = "[\"\(Self.target.rawValue)\"]"
        let kind = random.pick(["appendEdge", "prependEdge"])
        let edge = edge(hasNode: random.chance(50))
        let field = Field(key: "edge", type: "Edge@\(kind)(\(connection))", stream: nil, selections: edge)
        let inner: [Selection] = random.chance(30) ? [.fragment(label: label(), [.field(field)])] : [.field(field)]
        return Field(key: "add", type: "Added", stream: nil, selections: inner + some(["note"], "String"))
    }

    // MARK: - Plans

    /// The plan of the first pages, or of pages after a cursor. Unless `isLater` is true, no part arrives later.
    func plan(isLater: Bool, after cursor: String?) -> String {
        let arguments = cursor.map { "(after:\"\($0)\",first:2)" } ?? "(first:2)"
        return Self.text(of: selections, isLater, arguments)
    }

    /// The second pages begin where the first pages of the first round end, so that they fit in some rounds.
    private static let nextArguments = "(after:\"end\",first:3)"

    private static func text(of selections: [Selection], _ isLater: Bool, _ arguments: String) -> String {
        let parts = selections.map { selection in
            switch selection {
            case .field(let field):
                let stream = isLater ? field.stream.map { "@stream(\"\($0.label)\",\($0.initialCount))" } ?? "" : ""
                let inner = field.selections.map { text(of: $0, isLater, arguments) } ?? ""
                let name = field.isNext ? "next=posts\(nextArguments)" : field.key
                return "\(name)\(field.key == "posts" ? arguments : ""):\(field.type)\(stream)\(inner)"
            case .fragment(let label, let inner):
                let mark = isLater ? label.map { "@defer(\"\($0)\")" } ?? "" : ""
                return "<>\(mark)\(text(of: inner, isLater, arguments))"
            }
        }
        return "{\(parts.joined(separator: " "))}"
    }

    // MARK: - Values

    /// The cursor after which the pages of a round begin; nil for the first pages.
    static func cursor(ofRound round: Int) -> String? { round % 4 == 1 || round % 4 == 2 ? "end" : nil }

    /// The value of a field of an object in a round. Pages become longer or shorter from round to round.
    static func value(_ key: String, of object: Object, round: Int) -> Answer {
        let hash = hash("\(object.identity).\(key)")
        switch key {
        case "id": return .leaf(.string(object.identity))
        case "me": return .object(Object(identity: "1", type: "User"))
        case "other": return .object(Object(identity: "\(1 + hash % 2)", type: "User"))
        case "best": return .object(Object(identity: "\(1 + (hash + UInt64(round)) % 3)", type: "User"))
        case "friends":
            return .list((0..<Int((hash + UInt64(round)) % 4)).map { Object(identity: "\($0 + 3)", type: "User") })
        case "add": return .object(Object(identity: "\(object.identity).add", type: "Added"))
        case "edge": return .object(Object(identity: "edge", type: "Edge"))
        case "posts", "next": return .object(Object(identity: "\(object.identity).\(key)", type: "Posts"))
        case "endCursor" where object.identity.contains("next"): return .leaf(.string("next\(round)"))
        case "endCursor": return .leaf(.string(round % 4 == 0 ? "end" : "end\(round)"))
        case "pageInfo": return .object(Object(identity: "\(object.identity).info", type: "PageInfo"))
        case "edges":
            let count = Int((hash / 7 + UInt64(round) * 3) % 4)
            return .list(
                (0..<count).map { index in
                    let identity = "\(object.identity).\(index)"
                    let isNull = Self.hash("\(identity) \(round)") % 9 == 0
                    return isNull ? nil : Object(identity: identity, type: "Edge")
                })
        case "node":
            // Most pages have each node once, and some repeat it.
            let (page, index) = (object.identity.dropLast(), object.identity.utf8.last ?? 0)
            let first = Self.hash("\(page).\(round)")
            let post = (first + UInt64(index) % (first % 5 == 0 ? 2 : 10)) % 6
            return .object(Object(identity: "p\(post)", type: "Post"))
        case "hasNextPage", "hasPreviousPage":
            return .leaf(.bool((hash + UInt64(round)) % 2 == 0))
        default: return .leaf(hash % 9 == 0 ? .null : .string("\(object.identity).\(key) \(round)"))
        }
    }

    private static func hash(_ text: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return (hash ^ (hash >> 29)) >> 8
    }
}
