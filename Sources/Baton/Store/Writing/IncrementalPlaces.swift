/// The places of the later parts of one response. Each path and label has a record and selection sets, taken from the
/// response itself.
///
/// A part's place is not looked up in the store when the part arrives, because another response or an update may have
/// changed links by then.
struct IncrementalPlaces: Sendable {
    /// A fragment with `@defer`, at one object of the response.
    struct LaterFragment: Hashable, Sendable {
        let label: String
        let path: [JSONValue.PathComponent]
    }

    /// An object of the response that later parts give more fields.
    struct Object: Sendable {
        /// The fragment that the fields belong to. The fragment may begin at an object around this one.
        let fragment: LaterFragment
        let record: RecordID
        let type: TypeID
        var nodes: [Int]
        /// The type fact that the arrival of the part proves: under an abstract condition, a part arrives only for
        /// objects of that type.
        var fact: TypeFact?

        func isSame(as other: Object) -> Bool {
            fragment == other.fragment && record == other.record && nodes == other.nodes
        }
    }

    /// A list of the response that later parts give more items.
    struct List: Sendable {
        let label: String
        let record: RecordID
        let type: TypeID
        let responseKey: String
        let key: StorageKeyID
        /// The selection sets of the object that has the list.
        let nodes: [Int]
        var items: GrowingList
        /// The work for the list itself, which is done again when the list grows.
        let works: [Int]
    }

    private(set) var objects: [[JSONValue.PathComponent]: [Object]] = [:]
    /// The paths of the objects in each fragment with `@defer`.
    private var members: [LaterFragment: [[JSONValue.PathComponent]]] = [:]
    /// The fragments that the server has announced and not completed.
    private(set) var open: Set<LaterFragment> = []
    /// The fragments that have arrived completely.
    private var completed: Set<LaterFragment> = []
    private(set) var lists: [[JSONValue.PathComponent]: [List]] = [:]
    /// The labels under which the same field of the same record grows.
    private var growing: [RecordID: [StorageKeyID: Set<String>]] = [:]
    /// The paths of the parts that failed.
    private var failed: Set<[JSONValue.PathComponent]> = []
    /// The work for handled fields.
    var works: LaterWorks
    /// The labels of all later parts in the plan.
    let labels: Set<String>
    /// For each selection set, true if parts that arrive later or handled fields are in it or below it.
    let leads: [Bool]
    var visits = 0

    init(_ plan: BoundPlan) {
        var labels: Set<String> = []
        var leads = Array(repeating: false, count: plan.nodes.count)
        // Inner selection sets have greater numbers than the sets around them, so they are visited first.
        for node in plan.nodes.indices.reversed() {
            for index in plan.items(of: node) {
                let item = plan.items[index]
                if let marks = plan.marks[index] {
                    if let label = marks.label { labels.insert(label) }
                    if marks.label != nil || marks.handle != nil || marks.mutation != nil { leads[node] = true }
                }
                if item.child != .max, leads[Int(item.child)] { leads[node] = true }
            }
        }
        self.labels = labels
        self.leads = leads
        works = LaterWorks(plan)
    }

    /// Returns the places at a path: of fragments, and of objects in fragments. The first place has the label; without
    /// a label, it may be any place.
    func objects(at path: [JSONValue.PathComponent], label: String?) -> [Object] {
        guard let all = objects[path],
            let first = all.first(where: { label == nil || $0.fragment.label == label })
        else { return [] }
        return [first] + all.filter { $0.record == first.record && !$0.isSame(as: first) }
    }

    /// Returns the place of a list with a label. Without a label, returns any list at the path.
    func list(at path: [JSONValue.PathComponent], label: String?) -> List? {
        lists[path]?.first { label == nil || $0.label == label }
    }

    mutating func addObject(_ object: Object, at path: [JSONValue.PathComponent]) {
        if objects[path]?.contains(where: { $0.isSame(as: object) }) == true { return }
        objects[path, default: []].append(object)
        members[object.fragment, default: []].append(path)
    }

    /// Adds a list. A known list stays as it is, unless the response has sent it again with another beginning.
    mutating func addList(_ list: List, at path: [JSONValue.PathComponent]) {
        guard let index = lists[path]?.firstIndex(where: { $0.label == list.label }) else {
            lists[path, default: []].append(list)
            growing[list.record, default: [:]][list.key, default: []].insert(list.label)
            return
        }
        if lists[path]?[index].items.whole.startsWithItems(of: list.items.whole) != true { lists[path]?[index] = list }
    }

    /// Returns true if the same field of the same record also grows in places with another label.
    func isShared(_ list: List) -> Bool { (growing[list.record]?[list.key]?.count ?? 0) > 1 }

    /// Replaces the items of a list from a position on by new items; returns the list.
    mutating func setItems(
        _ new: [Value], from position: Int, at path: [JSONValue.PathComponent], label: String
    ) -> List? {
        guard let index = lists[path]?.firstIndex(where: { $0.label == label }) else { return nil }
        lists[path]?[index].items.set(new, from: position)
        return lists[path]?[index]
    }

    // MARK: - The end of fragments

    /// Notes that the server has announced a fragment.
    mutating func noteAnnouncement(of fragment: LaterFragment) { open.insert(fragment) }

    /// Notes a part that failed. Nothing is known about the objects in it.
    mutating func noteFailure(of fragment: LaterFragment, at path: [JSONValue.PathComponent]) {
        failed.insert(path)
        works.fail(fragment)
    }

    /// Notes that a fragment has arrived completely. Returns the objects whose selected fields have all arrived.
    ///
    /// If two announced fragments select the same field, the server sends it once, with either fragment. In the older
    /// form each part has all fields of its fragment.
    mutating func noteEnd(of fragment: LaterFragment, isAnnounced: Bool) -> [Object] {
        completed.insert(fragment)
        works.end(of: fragment)
        guard isAnnounced else {
            return members[fragment]?.flatMap { objects[$0] ?? [] }.filter { $0.fragment == fragment } ?? []
        }
        open.remove(fragment)
        return members[fragment]?.flatMap { path -> [Object] in
            let all = objects[path] ?? []
            return all.contains { open.contains($0.fragment) } ? [] : all.filter { completed.contains($0.fragment) }
        } ?? []
    }

    /// The objects that get no more fields, once the response has ended. Objects in failed parts are not among them.
    var endedObjects: some Sequence<Object> {
        let failed = failed
        return objects.lazy.filter { path, _ in
            failed.isEmpty || !(0...path.count).contains { failed.contains(Array(path.prefix($0))) }
        }.flatMap(\.value)
    }
}
