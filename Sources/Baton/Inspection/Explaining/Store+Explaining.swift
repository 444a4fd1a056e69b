extension Store {
    /// Explains how a record, or one field of it, got its current state.
    package func explain(_ id: DataID, _ storageKey: StorageKey? = nil) -> Explanation {
        let hold = NumberHold(names)
        defer { withExtendedLifetime(hold) {} }
        guard let record = names.record(id, adding: false) else {
            var explanation = Explanation(
                dataID: id, storageKey: storageKey, state: .unknown, typename: nil, value: nil, write: nil,
                isFieldExact: false, isSelectedByWriter: nil, invalidations: [])
            let journal = journal.current
            explanation.nearestRecords = records(near: id)
            let emptied = records.emptied
            explanation.mayBeForgotten =
                journal.collections.hasForgottenNames || options.history.publishes == 0 || emptied > 0
            if let origin = journal.collections.origin(of: nil, id) {
                explanation.write = Explanation.Write(
                    origin.collected, journal.entry(at: origin.collected), otherwise: .collection)
                explanation.loss = loss(origin, journal)
            } else if emptied > 0 {
                explanation.write = Explanation.Write(emptied, journal.entry(at: emptied), otherwise: .reset)
            }
            return explanation
        }
        return explain(record, storageKey.map { names.key($0.rawValue) }, in: records)
    }

    /// The greatest number of records that are searched for similar identities.
    private static let spelledAlike = 10_000

    /// Returns the identities of records that resemble an unknown identity.
    private func records(near id: DataID) -> [DataID] {
        let records = records
        let connections = records.connections(near: id, names)
        if !connections.isEmpty { return connections }
        let same = names.records(near: id).filter { records.state(of: $0) == .existing }
        if !same.isEmpty { return same.prefix(5).map(names.dataID(of:)) }
        let all = records.known.lazy.filter { records.state(of: $0) == .existing }.prefix(Self.spelledAlike)
        let texts = all.map { self.names.dataID(of: $0).rawValue }.filter { !$0.hasPrefix("client:") }
        return id.rawValue.nearest(in: texts).map { DataID($0) }
    }

    private func explain(_ record: RecordID, _ key: StorageKeyID?, in records: Records) -> Explanation {
        let slot = records.slot(of: record)
        let journal = journal.current
        let isExisting = slot.state == .existing
        let own = isExisting ? key.flatMap { journal.version(of: $0, of: record) } : nil
        // The slot of an unknown record may only have the version in which its page was freed, and not the last write.
        let origin = slot.state == .unknown ? journal.collections.origin(of: record, names.dataID(of: record)) : nil
        let version = own ?? origin?.collected ?? slot.changed
        let isReset = slot.state == .unknown && version > 0 && version == records.emptied
        let isKnown =
            isReset || origin != nil
            || version > 0 && (slot.state != .unknown || journal.entry(at: version)?.source.removes ?? false)
        let otherwise: Explanation.Write.Source = isReset ? .reset : origin != nil ? .collection : .forgotten
        let entry = isKnown ? journal.entry(at: version) : nil
        var isSelected: Bool?
        if case .response(let artifact, _, _) = entry?.source, let key {
            isSelected = artifact.selects(StorageKey(names.name(of: key)).fieldName)
        }
        var explanation = Explanation(
            dataID: names.dataID(of: record), storageKey: key.map { StorageKey(names.name(of: $0)) },
            state: slot.state == .existing ? .existing : slot.state == .deleted ? .deleted : .unknown,
            typename: isExisting ? TypeName(names.name(of: records.type(of: record))) : nil,
            value: key.flatMap { records.value($0, of: record)?.json(names.dataID(of:)) },
            write: isKnown ? Explanation.Write(version, entry, otherwise: otherwise) : nil, isFieldExact: own != nil,
            isSelectedByWriter: isSelected, invalidations: invalidations(of: record, in: records, journal))
        explanation.mayBeForgotten =
            slot.state == .unknown && explanation.write == nil
            && (slot.changed > 0 || journal.collections.hasForgottenNames || options.history.publishes == 0)
        explanation.loss = origin.map { loss($0, journal) }
        // A record that was never written may have a number, because a caller asked for it.
        if slot.state == .unknown, origin == nil {
            explanation.nearestRecords = records.connections(near: explanation.dataID, names)
        }
        if isExisting, let storageKey = explanation.storageKey, explanation.value == nil {
            explanation.nearestKeys = records.nearest(to: storageKey, of: record, names)
        }
        if let late = journal.collections.late(key, of: record), late >= version {
            explanation.lateResponse = Explanation.Write(late, journal.entry(at: late))
        }
        return explanation
    }

    private func invalidations(
        of record: RecordID, in records: Records, _ journal: PublishHistory
    ) -> [Explanation.Invalidation] {
        guard records.state(of: record) != .unknown else { return [] }
        let found: [(Explanation.Invalidation.Target, Epoch)] = [
            (.store, records.invalidations.ofStore), (.record, records.invalidations.records[record] ?? 0),
            (.type, records.lastInvalidation(of: records.type(of: record))),
        ]
        return found.filter { $0.1 > 0 }.sorted { $0.1 > $1.1 }
            .map { .init(target: $0.0, write: .init($0.1, journal.entry(at: $0.1))) }
    }

    /// Explains why a field in a read from a root is missing; nil if it is not missing.
    package func explain(_ place: MissingPlace, from root: RecordID, _ selections: BoundSelections) -> (
        cause: Explanation, link: Explanation?
    ) {
        explain(place, from: root, selections.plan, in: records)
    }

    private func explain(
        _ place: MissingPlace, from root: RecordID, _ plan: BoundPlan, in records: Records
    ) -> (cause: Explanation, link: Explanation?) {
        var link: Explanation?
        if let (parent, key) = records.lastLink(along: place.path, from: root, to: place.record, plan) {
            link = explain(parent, key, in: records)
        }
        return (explain(place.record, place.key, in: records), link)
    }

    /// Explains the parts of a plan that a read does not show.
    func explainHoles(in plan: BoundPlan, at root: RecordID) -> [Explanation.OfData.Hole] {
        let records = records
        return HoleSearch.holes(in: records, at: root, plan).map { hole in
            let (cause, link) = explain(hole.place, from: root, plan, in: records)
            let errors = hole.place.key.flatMap { records.fieldErrors[hole.place.record, $0] } ?? []
            return Explanation.OfData.Hole(
                reason: .init(hole.reason), place: location(of: hole.place), path: hole.path,
                extent: extent(of: hole), cause: cause, link: link, errors: errors)
        }
    }

    private func extent(of hole: Hole) -> Explanation.OfData.Hole.Extent {
        switch hole.extent {
        case .everything: .everything
        case .field: .field
        case .item: .item
        case .leftOutItem: .leftOutItem
        case .inline(let type): .inlineFragment(TypeName(names.name(of: type)))
        }
    }

    /// Checks a plan without missing-field handlers.
    func examine(_ plan: BoundPlan, at root: RecordID, fetch: FetchRecord?) -> (
        missing: MissingPlace?, stale: StaleCause?
    ) {
        var check = AvailabilityCheck(records: records, plan: plan, .init(fetch: fetch, now: now(), handlers: []))
        check.check(root)
        return (check.missing, check.staleness)
    }
}

extension WriteSource {
    /// True if changes of this source can remove records.
    fileprivate var removes: Bool {
        switch self {
        case .reset, .restore, .collection, .optimistic, .revert: true
        default: false
        }
    }
}

extension Explanation.Write {
    init(_ epoch: Epoch, _ entry: PublishHistory.Entry?, otherwise: Source = .forgotten) {
        let source: Source =
            switch entry?.source {
            case nil: otherwise
            case .update: .update
            case .response(let artifact, let request, _):
                .response(operationName: artifact.name, kind: artifact.kind, request: request)
            case .optimistic: .optimistic
            case .revert: .revert
            case .invalidation: .invalidation
            case .missingFieldHandlers: .missingFieldHandlers
            case .restore: .restore
            case .reset: .reset
            case .collection: .collection
            case .file: .file
            }
        self.init(version: Int(truncatingIfNeeded: epoch), time: entry?.time, source: source)
    }
}

extension GeneratedCode.OperationArtifact {
    /// Returns true if a field with this name is selected anywhere in the plan.
    fileprivate func selects(_ name: Substring) -> Bool {
        guard case .success(let plan) = normalization.plan else { return false }
        var open = plan.items
        while let item = open.popLast() {
            switch item.kind {
            case .field(let field):
                if field.name == name { return true }
                open += field.selections
            case .inline(_, let items): open += items
            case .spread: break
            }
        }
        return false
    }
}

extension Explanation.OfData.Hole.Reason {
    fileprivate init(_ reason: Hole.Reason) {
        self =
            switch reason {
            case .deleted: .deleted
            case .null: .null
            case .missing: .missing
            case .unfit: .unfit
            }
    }
}
