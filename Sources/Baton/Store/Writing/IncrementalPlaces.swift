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
    /// The fragments that the server has completed.
    private var completed: Set<LaterFragment> = []
    /// The later fragments in later fragments, with those around them.
    private var outer: [LaterFragment: LaterFragment] = [:]
    /// The completed fragments in fragments that are still open.
    private var early: Set<LaterFragment> = []
    private(set) var lists: [[JSONValue.PathComponent]: [List]] = [:]
    /// The labels under which the same field of the same record grows.
    private var growing: [RecordID: [StorageKeyID: Set<String>]] = [:]
    /// The paths of the parts that failed.
    private var failed: Set<[JSONValue.PathComponent]> = []
    /// The fragments that have not come.
    private var arriving: ArrivingFragments
    /// The work for handled fields.
    var works: LaterWorks
    /// The labels of all later parts in the plan.
    let labels: Set<String>
    /// For each selection set, true if parts that arrive later or handled fields are in it or below it.
    let leads: [Bool]
    var visits = 0

    /// Makes the places of a response, which are noted in `arriving` too.
    init(_ plan: BoundPlan, _ arriving: ArrivingPlaces) {
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
        works = LaterWorks(plan, arriving)
        self.arriving = ArrivingFragments(arriving)
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
        arriving.note(object)
        if works.pages.isNeeded { works.pages.note(object.fragment, at: object.record) }
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

    /// The announced fragments that have not come completely.
    var unfinished: Set<LaterFragment> { early.isEmpty ? open : open.union(early) }

    /// Notes that the server has announced a fragment.
    mutating func noteAnnouncement(of fragment: LaterFragment) {
        open.insert(fragment)
        if works.pages.isNeeded { works.pages.noteArrival(of: fragment) }
    }

    /// Notes a part that failed. Nothing is known about the objects in it.
    mutating func noteFailure(of fragment: LaterFragment, at path: [JSONValue.PathComponent]) {
        failed.insert(path)
        works.fail(fragment)
        arriving.noteFailure(of: fragment)
    }

    /// Notes that a fragment is in another one.
    mutating func note(_ fragment: LaterFragment, in other: LaterFragment) {
        if outer.updateValue(other, forKey: fragment) != other { arriving.note(fragment, in: other) }
    }

    /// Notes that a fragment has come completely. Returns the objects of which all selected fields have come.
    ///
    /// A server that announces fragments sends a field that two of them select once: with either, or with the outer one
    /// if one is in the other. So an inner fragment that ends first has not come completely before the outer one has.
    /// The older form has all fields of a fragment in its part.
    mutating func noteEnd(of fragment: LaterFragment, isAnnounced: Bool) -> [Object] {
        completed.insert(fragment)
        arriving.noteEnd(of: fragment)
        guard isAnnounced else {
            works.end(of: fragment)
            return members[fragment]?.flatMap { objects[$0] ?? [] }.filter { $0.fragment == fragment } ?? []
        }
        open.remove(fragment)
        early.insert(fragment)
        for fragment in early where !isInOpenFragment(fragment) {
            early.remove(fragment)
            works.end(of: fragment)
        }
        return members[fragment]?.flatMap { path -> [Object] in
            let all = objects[path] ?? []
            return all.contains { open.contains($0.fragment) } ? [] : all.filter { completed.contains($0.fragment) }
        } ?? []
    }

    /// Tells readers which places later parts will fill after this payload. `goesOn` is false if no more parts come.
    mutating func noteArriving(_ plan: BoundPlan, goesOn: Bool) {
        guard goesOn else { return arriving.places.endAfterPayload() }
        // A page that waits for the pages before it comes later than its fragment.
        let (open, early, mayWait) = (open, early, works.pages.isNeeded)
        arriving.pass(in: plan) { mayWait || open.contains($0) || early.contains($0) }
    }

    private func isInOpenFragment(_ fragment: LaterFragment) -> Bool {
        // A fragment cannot be in itself, and a plan nests fewer fragments than it has labels.
        var next = outer[fragment]
        for _ in labels {
            guard let fragment = next else { return false }
            if open.contains(fragment) { return true }
            next = outer[fragment]
        }
        return false
    }

    /// The objects of which all fields have come that ever will, once the response has ended.
    var endedObjects: some Sequence<Object> {
        let failed = failed
        return objects.lazy.filter { path, _ in
            failed.isEmpty || !(0...path.count).contains { failed.contains(Array(path.prefix($0))) }
        }.flatMap(\.value)
    }
}
