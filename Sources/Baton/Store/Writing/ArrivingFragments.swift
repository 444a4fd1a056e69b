/// The deferred fragments of one response that have not come, with the places in the store that they will fill.
///
/// A fragment comes until it is complete, has failed, or the response ends. A server of the newer form announces its
/// fragments, but may do so later than it brings the objects around them. One that it never announces has come with
/// these objects, and no reader lacks its fields.
struct ArrivingFragments: Sendable {
    typealias Fragment = IncrementalPlaces.LaterFragment

    let places: ArrivingPlaces
    private var coming: [Fragment: [ArrivingPlaces.Place]] = [:]
    /// The objects that the payload has shown.
    private var found: [IncrementalPlaces.Object] = []
    /// The fragments that have come, and those that do not come.
    private var completed: Set<Fragment> = []
    private var failed: Set<Fragment> = []
    /// The fragments directly in others.
    private var inner: [Fragment: [Fragment]] = [:]
    /// The fragments that are to be looked at after the payload.
    private var due: Set<Fragment> = []

    init(_ places: ArrivingPlaces) { self.places = places }

    mutating func note(_ object: IncrementalPlaces.Object) { found.append(object) }

    mutating func note(_ fragment: Fragment, in other: Fragment) { inner[other, default: []].append(fragment) }

    mutating func noteEnd(of fragment: Fragment) {
        completed.insert(fragment)
        due.insert(fragment)
    }

    /// Notes that a fragment does not come, nor what is in it.
    mutating func noteFailure(of fragment: Fragment) {
        var open = [fragment]
        while let fragment = open.popLast() {
            guard failed.insert(fragment).inserted else { continue }
            due.insert(fragment)
            open += inner[fragment] ?? []
        }
    }

    /// Passes on what the payload has shown.
    ///
    /// - Parameter isOpen: True for an announced fragment of which fields may still come.
    mutating func pass(in plan: BoundPlan, isOpen: (Fragment) -> Bool) {
        for object in found {
            let fragment = object.fragment
            if failed.contains(fragment) || completed.contains(fragment) && !isOpen(fragment) { continue }
            coming[fragment, default: []].append(places.add(object.record, object.type, object.nodes, in: plan))
        }
        found = []
        for fragment in due where failed.contains(fragment) || !isOpen(fragment) {
            due.remove(fragment)
            if let gone = coming.removeValue(forKey: fragment) { places.end(gone) }
        }
    }
}
