/// The state of one response that arrives in parts: the parts that have landed, the announced parts, and the waiting
/// parts.
///
/// The value belongs to the task that carries the request. It changes in place, so that nothing is copied for each
/// payload. Each payload lands whole or not at all. A part that arrives before its parent waits for the parent.
/// ``LaterWorks`` describes the work that handlers of fields do for parts.
package struct IncrementalDelivery: Sendable {
    /// The greatest number of waiting parts, of the bytes in their bodies, and of repeated attempts to land them.
    private static let limits = (parts: 1000, bytes: 16 << 20, attempts: 1 << 20)

    struct Waiting: Sendable {
        let part: IncrementalPayload.Part
        let body: [UInt8]
        /// The number of the payload that has the body.
        let payload: Int
    }

    /// The operation; for a subscription, the operation of the newest event.
    private(set) var operation: BoundOperation
    /// The operation of the event that the next payload may begin; nil except for subscriptions.
    var nextEvent: BoundOperation?
    /// The places that later parts will fill, for readers.
    let arriving: ArrivingPlaces
    var places: IncrementalPlaces
    private(set) var pending: [String: IncrementalPayload.Pending] = [:]
    private var waiting: [Waiting] = []
    private var attempts = 0
    /// The presence of data in the beginning of the response; nil before the beginning has arrived.
    private var beginning: StagedResponse.DataPresence?
    /// The record of the response's data; none if there is no data.
    private var root = RecordID.none
    /// The longest form of each list with `@stream` that the parts have brought.
    private var grown: [Normalizer.GrownList: GrowingList] = [:]
    /// Keeps the numbers of records as long as places in this response refer to them.
    private var hold: NumberHold?
    private var bytes = 0
    /// The number of payloads, and the number of parts in them.
    private var payloads = 0
    private var parts = 0
    /// The records of the store that the current payload has confirmed. `confirmedCount` is the number of confirmations
    /// that have been added to the set.
    private var confirmed: Set<RecordID> = []
    private var confirmedCount = 0
    /// All errors so far, in the order of arrival.
    private(set) var errors: [GraphQLError] = []
    private(set) var extensions: JSONValue?
    /// The bodies of the payloads that have landed.
    private(set) var bodies = PayloadBodies()

    /// Begins a delivery; nil for an operation without parts that arrive later.
    package init?(_ operation: BoundOperation) { self.init(operation, filling: ArrivingPlaces()) }

    /// Begins a delivery that notes the places which later parts will fill.
    init?(_ operation: BoundOperation, filling arriving: ArrivingPlaces) {
        guard operation.hasIncrements else { return nil }
        self.operation = operation
        self.arriving = arriving
        places = IncrementalPlaces(operation.plans.write, arriving)
    }

    /// True once the beginning of the response has arrived, with or without data.
    var hasBegun: Bool { beginning != nil }

    /// Ends the response, because no other payload will arrive. Throws if parts are still waiting, or if no payload had
    /// data.
    package func finish() throws(RelayError.InvalidResponse) { if let unfinished { throw unfinished } }

    /// The error of a response that ends here; nil if it is complete.
    var unfinished: RelayError.InvalidResponse? {
        if let first = waiting.first {
            return .init(.unusablePart("nothing came before it to which it belongs"), path: first.part.path)
        }
        return hasBegun ? nil : .init(.notAResponse)
    }
}

extension BoundPlan {
    /// The labels of the lists with `@stream`.
    var streamLabels: Set<String> {
        markSet.contains(.stream)
            ? Set(marks.compactMap { items[$0].marks.contains(.stream) ? $1.label : nil }) : []
    }
}

extension BoundOperation {
    /// True if the plan has parts that arrive later.
    var hasIncrements: Bool { !plans.write.markSet.isDisjoint(with: [.deferred, .stream]) }
}

extension IncrementalDelivery {
    /// Reads a payload without changing the store, on top of the earlier payloads. The delivery cannot be used any more
    /// after an error.
    ///
    /// - Parameter isLast: True if the network says that no other payload follows. A statement in the payload itself
    ///   takes precedence.
    mutating func read(
        _ payload: IncrementalPayload, _ body: [UInt8], in source: some RecordSource, _ customDataID: DataID.Function?,
        fetch: FetchMark?, generation: Int?, isLast: Bool, limits: StoreOptions.IncrementalLimits
    ) throws(RelayError.InvalidResponse) -> StagedResponse {
        let (names, base) = (source.names, source.records)
        let hold = self.hold ?? NumberHold(names)
        // The next event of a subscription may consist of errors without data.
        let mayBegin = !hasBegun || isSubscription && root == .none
        let isFirst = payload.hasData || mayBegin && payload.parts.isEmpty && payload.pending.isEmpty
        var origin = root
        if isFirst {
            operation = nextEvent ?? operation
            origin = operation.root
        }
        var reader = ResponseReader(
            normalizer: Normalizer(
                plan: operation.plans.write, scalars: operation.artifact.scalars, customDataID: customDataID,
                base: base),
            root: origin)
        // Each event of a subscription is a response of its own.
        if isFirst, hasBegun { (bytes, parts, attempts) = (0, 0, 0) }
        bytes += body.count
        payloads += 1
        parts += max(payload.parts.count, 1)
        guard parts <= limits.parts else { throw RelayError.InvalidResponse(.tooManyParts(limit: limits.parts)) }
        guard bytes <= limits.bytes else { throw RelayError.InvalidResponse(.partsTooLarge(limit: limits.bytes)) }
        (confirmed, confirmedCount) = ([], 0)
        var presence = beginning ?? .object
        var first: [HandledCall] = []
        if isFirst {
            try reader.read(body)
            swap(&first, &reader.normalizer.handled)
            presence = reader.presence
            // Another first payload of the same request replaces the response so far.
            if hasBegun { (bodies, waiting, pending) = (PayloadBodies(), [], [:]) }
            errors = reader.errors
            extensions = reader.extensions
            arriving.begin(operation.plans.write)
            places = IncrementalPlaces(operation.plans.write, arriving)
            beginning = presence
            root = presence == .object ? origin : .none
            if presence == .object {
                try notePlaces(root, [0], at: [], in: nil, reader.normalizer)
            }
            grown = [:]
        } else {
            note(payload.errors, payload.extensions)
            reader.normalizer.exchangeGrown(&grown)
        }
        for announcement in payload.pending {
            pending[announcement.id] = announcement
            guard let label = announcement.label else { continue }
            places.noteAnnouncement(of: .init(label: label, path: announcement.path))
        }
        try land(payload.parts, body, isAwaited: isFirst || !payload.pending.isEmpty, &reader.normalizer)
        let isOver = waiting.isEmpty && payload.hasNext.map { !$0 } ?? isLast
        places.works.endWholeFragments(except: places.unfinished)
        let handled = places.works.calls(
            first, reader.normalizer.staged, over: base, names, payload: payloads, isLast: isOver)
        bodies.append(body)
        reader.normalizer.exchangeGrown(&grown)
        if isOver { learnEnd(&reader.normalizer) }
        let staged = reader.takeStaged(fetch)
        // No numbers are held between two events of a subscription, because the subscription may run for ever.
        let goesOn = !isSubscription || payload.hasNext == true || !pending.isEmpty || !waiting.isEmpty
        places.noteArriving(operation.plans.write, goesOn: goesOn && !isOver)
        self.hold = goesOn ? hold : nil
        if !goesOn { places = IncrementalPlaces(operation.plans.write, arriving) }
        return StagedResponse(
            records: staged, handled: handled, generation: generation ?? base.generation,
            presence: presence, errors: errors, extensions: extensions,
            irregularities: payload.irregularities, root: origin, hold: hold)
    }

    /// Lands parts, and tries the waiting parts again if they may find a place now.
    private mutating func land(
        _ parts: [IncrementalPayload.Part], _ body: [UInt8], isAwaited: Bool, _ normalizer: inout Normalizer
    ) throws(RelayError.InvalidResponse) {
        var open = parts.map { Waiting(part: $0, body: body, payload: payloads) }
        if waiting.isEmpty && open.isEmpty || open.isEmpty && !isAwaited { return }
        if !waiting.isEmpty {
            open = waiting + open
            attempts += waiting.count
        }
        while true {
            var rest: [Waiting] = []
            for item in open where try !land(item, in: &normalizer) { rest.append(item) }
            // A part that has landed may be the parent of waiting parts.
            let isStuck = rest.isEmpty || rest.count == open.count
            open = rest
            if isStuck { break }
            attempts += open.count
            // A server may send items and parts in any order. After the sort, parents come first, so that few rounds
            // are left.
            sort(&open)
        }
        waiting = open
        if waiting.isEmpty { return }
        // The parts of one payload share its body.
        let held = Dictionary(waiting.map { ($0.payload, $0.body.count) }) { first, _ in first }.values.reduce(0, +)
        guard waiting.count <= Self.limits.parts, held <= Self.limits.bytes, attempts <= Self.limits.attempts else {
            throw RelayError.InvalidResponse(.unusablePart("too many parts came before what they belong to"))
        }
    }

    /// Keeps the errors and extensions of a payload or part.
    private mutating func note(_ errors: [GraphQLError], _ extensions: JSONValue?) {
        // The array is shared with callers that have the errors so far, and is copied now. It is as short as the array
        // of a response with one payload.
        let room = max(GraphQLError.mostErrors - self.errors.count, 0)
        if !errors.isEmpty, room > 0 { self.errors += errors.prefix(room) }
        if let extensions { self.extensions = extensions }
    }

    /// Sorts parts by their places: objects before their inner objects, and items of a list in their order.
    private func sort(_ parts: inout [Waiting]) {
        let places = parts.enumerated().map { number, item in
            (number: number, path: item.part.id.flatMap { pending[$0]?.path } ?? item.part.path)
        }
        parts = places.sorted { left, right in
            for (own, other) in zip(left.path, right.path) {
                switch (own, other) {
                case (.index(let own), .index(let other)) where own != other: return own < other
                case (.key(let own), .key(let other)) where own != other: return own < other
                case (.index, .key): return true
                case (.key, .index): return false
                default: continue
                }
            }
            return left.path.count == right.path.count ? left.number < right.number : left.path.count < right.path.count
        }.map { parts[$0.number] }
    }

    /// The greatest number of objects that a payload may have at the places of its parts. A response cannot have more
    /// objects than bytes, but each part is visited once for each fragment at its object.
    private var visitLimit: Int {
        let fragments = max(places.labels.count, 1)
        return bytes.multipliedReportingOverflow(by: min(fragments * fragments, 256)).partialValue
    }

    private var isSubscription: Bool { operation.artifact.kind == .subscription }

    private mutating func said(_ normalizer: Normalizer) -> SaidValues {
        let all = normalizer.staged.confirmed
        for record in all.dropFirst(confirmedCount) { confirmed.insert(record) }
        confirmedCount = all.count
        return SaidValues(normalizer: normalizer, confirmed: confirmed)
    }

    /// Writes a part at its place; returns false if the place does not exist yet.
    private mutating func land(_ item: Waiting, in normalizer: inout Normalizer) throws(RelayError.InvalidResponse)
        -> Bool
    {
        let part = item.part
        guard root != .none else { return false }
        var (path, label) = (part.path, part.label)
        if let id = part.id, part.label == nil {
            guard let announcement = pending[id] else { return false }
            (path, label) = (announcement.path, announcement.label)
        }
        if let label, !places.labels.contains(label) {
            throw RelayError.InvalidResponse(
                .unusablePart("the operation has no part with the label '\(label)'"), path: path)
        }
        do throws(JSONFailure) {
            if let list = places.list(at: path, label: label) {
                try append(part, to: list, at: path, from: nil, item.body, &normalizer)
            } else if case .index(let index)? = path.last,
                let list = places.list(at: Array(path.dropLast()), label: label)
            {
                // The items before this part must arrive first.
                if index > list.items.count { return false }
                try append(part, to: list, at: Array(path.dropLast()), from: index, item.body, &normalizer)
            } else {
                var objects = places.objects(at: path + part.subPath, label: label)
                if objects.isEmpty, !part.subPath.isEmpty {
                    // A server may send an inner fragment at once, as a part of the announced fragment.
                    objects = places.objects(at: path + part.subPath, label: nil)
                }
                guard let object = objects.first else { return false }
                try fill(object, objects, with: part, at: path + part.subPath, item.body, &normalizer)
            }
        } catch {
            throw RelayError.InvalidResponse(error.reason, path: path + part.subPath, offset: error.offset)
        }
        note(part.errors, part.extensions)
        return true
    }

    // MARK: - Fragments

    /// Writes the fields of a part into an object. The part may also have fields of other fragments at the object,
    /// because a server may send a field only once that several fragments select.
    private mutating func fill(
        _ place: IncrementalPlaces.Object, _ all: [IncrementalPlaces.Object], with part: IncrementalPayload.Part,
        at path: [JSONValue.PathComponent], _ body: [UInt8], _ normalizer: inout Normalizer
    ) throws(JSONFailure) {
        // The record was deleted meanwhile, so its new fields are ignored.
        guard normalizer.base.base(of: place.record).state != .deleted else { return }
        let nodes = all.flatMap(\.nodes)
        switch part.content {
        case .object(let range):
            let sources = nodes.map { UInt32(truncatingIfNeeded: $0) }
            normalizer.fillLinks()
            try JSONCursor.read(body) { (cursor) throws(JSONFailure) in
                cursor.position = range.lowerBound
                normalizer.isLaterPart = true
                try normalizer.object(&cursor, at: place.record, of: place.type, sources, depth: path.count + 1)
            }
            normalizer.isLaterPart = false
            if let fact = place.fact { normalizer.staged.facts[fact] = true }
            try orJSONFailure { (delivery) throws(RelayError.InvalidResponse) in
                for object in all {
                    for node in object.nodes {
                        try delivery.notePlaces(place.record, [node], at: path, in: object.fragment, normalizer)
                    }
                }
            }
            if part.id == nil { noteEnd(of: place.fragment, isAnnounced: false, &normalizer) }
        case .items(let range):
            throw JSONFailure(.unusablePart("a fragment got items"), offset: range.lowerBound)
        case .nothing:
            // An announced part that was completed without errors has arrived.
            if part.id == nil || !part.errors.isEmpty {
                places.noteFailure(of: place.fragment, at: path)
            } else {
                // The server announces a fragment where its type condition holds, although all of its fields may come
                // with other parts.
                if let fact = place.fact { normalizer.staged.facts[fact] = true }
                noteEnd(of: place.fragment, isAnnounced: true, &normalizer)
            }
        }
        normalizer.placeErrors(of: part, at: place.record, nodes, path)
    }

    /// Notes that a fragment has arrived completely. Its objects are then not of the types whose discriminators they
    /// lack.
    private mutating func noteEnd(
        of fragment: IncrementalPlaces.LaterFragment, isAnnounced: Bool, _ normalizer: inout Normalizer
    ) {
        for object in places.noteEnd(of: fragment, isAnnounced: isAnnounced) { normalizer.learnEnd(of: object) }
    }

    /// Notes the type facts that the end of a response proves. The server sends no part whose fields have all come
    /// before, and no part whose type condition does not hold.
    private func learnEnd(_ normalizer: inout Normalizer) {
        for object in places.endedObjects {
            if let fact = object.fact, normalizer.fact(fact) == nil { normalizer.staged.facts[fact] = false }
            if let fact = object.fact, normalizer.fact(fact) == false { continue }
            normalizer.learnEnd(of: object)
        }
    }

    /// Notes the places in an object of the response.
    private mutating func notePlaces(
        _ record: RecordID, _ nodes: [Int], at path: [JSONValue.PathComponent],
        in fragment: IncrementalPlaces.LaterFragment?,
        _ normalizer: Normalizer
    ) throws(RelayError.InvalidResponse) {
        let walk = IncrementalPlaces.Walk(response: said(normalizer), limit: visitLimit)
        try places.notePlaces(record, nodes, at: path, in: fragment, walk, places.works.reaches(at: record))
    }

    private mutating func orJSONFailure(
        _ body: (inout IncrementalDelivery) throws(RelayError.InvalidResponse) -> Void
    ) throws(JSONFailure) {
        do throws(RelayError.InvalidResponse) { try body(&self) } catch {
            throw JSONFailure(error.reason, offset: error.offset)
        }
    }

    // MARK: - Lists

    /// Adds items to a list. Their position must be the end of the list, unless the server gives another one.
    private mutating func append(
        _ part: IncrementalPayload.Part, to list: IncrementalPlaces.List, at path: [JSONValue.PathComponent],
        from position: Int?, _ body: [UInt8], _ normalizer: inout Normalizer
    ) throws(JSONFailure) {
        guard normalizer.base.base(of: list.record).state != .deleted else { return }
        let plan = normalizer.plan
        let node = plan.writing.node(list.nodes.map { UInt32(truncatingIfNeeded: $0) }, in: plan)
        let selections = plan.writing.selections(node, for: list.type, in: plan)
        let position = position ?? list.items.count
        guard let index = selections.fields.index(of: list.responseKey) else { return }
        let field = selections.fields[index]
        var new: [Value] = []
        try JSONCursor.read(body) { (cursor) throws(JSONFailure) in
            func read(_ cursor: inout JSONCursor) throws(JSONFailure) {
                new.append(
                    try normalizer.item(
                        &cursor, field, index: position + new.count, parent: list.record, depth: path.count + 2))
            }
            switch part.content {
            case .object(let range):
                cursor.position = range.lowerBound
                try read(&cursor)
            case .items(let range):
                cursor.position = range.lowerBound + 1
                cursor.skipSpace()
                if cursor.next == 0x5D { return }
                repeat { try read(&cursor) } while try cursor.continues(until: 0x5D)
            case .nothing: break
            }
        }
        normalizer.placeErrors(of: part, at: list.record, list.nodes, Array(path.dropLast()))
        guard !new.isEmpty else { return }
        guard let longer = places.setItems(new, from: position, at: path, label: list.label) else { return }
        normalizer.stageItems(new, from: position, of: list, as: longer.items, isShared: places.isShared(list))
        for work in list.works { places.works.grow(work) }
        guard let child = field.pointee.child else { return }
        try orJSONFailure { (delivery) throws(RelayError.InvalidResponse) in
            let walk = IncrementalPlaces.Walk(response: delivery.said(normalizer), limit: delivery.visitLimit)
            let reaches = delivery.places.reaches(inItemsOf: list)
            for (offset, value) in new.enumerated() {
                try delivery.places.notePlaces(
                    value, child.sources.map(Int.init), at: path + [.index(position + offset)], in: nil, walk, reaches)
            }
        }
    }
}
