import Baton
import RandomCases

/// A local update in the model: the state with its changes, and its further requests.
private struct ModelUpdate {
    var state: ModelState
    /// Records that existed and were rewritten.
    var replaced: Set<String> = []
    var deleted: Set<String> = []
    var invalidated: [String] = []
    var invalidatesStore = false

    var written: [String: ModelWritten] = [:]

    mutating func create(_ id: String, _ type: String) {
        let isReplaced = state.presence(id) == .existing || written[id]?.isDeleted == true
        written[id] = ModelWritten(isReplaced: isReplaced || written[id]?.isReplaced == true)
        if state.presence(id) == .existing || deleted.contains(id) { replaced.insert(id) }
        state.put(id, ModelRecord(type: type))
    }

    mutating func delete(_ id: String) {
        deleted.insert(id)
        written[id] = ModelWritten(isDeleted: true)
        state.delete(id)
    }

    mutating func set(_ id: String, _ key: String, _ value: ModelValue) {
        if state.records[id] == nil { create(id, "__Root") }
        state.records[id]?.fields[key] = value
        written[id, default: .init()].keys.insert(key)
    }

    /// Removes a record from all lists.
    mutating func removeReferences(to target: String) {
        for (id, record) in state.records {
            for (key, value) in record.fields {
                let rest = value.removing(target)
                if rest != value { set(id, key, rest) }
            }
        }
    }

    /// Publishes the update.
    func land(in target: inout ModelState) {
        target.records = state.records
        target.deleted = state.deleted
        target.facts = state.facts
        if invalidatesStore { target.invalidateAll() }
        for id in invalidated { target.invalidatedRecords[id] = target.clock + 1 }
    }
}

extension StoreDriver {
    private struct Refusal: Error {}

    func update() throws {
        var work = ModelUpdate(state: model)
        let summary = try store.update { try edit($0, &work) }.1
        publish(replacing: work.replaced) { work.land(in: &$0) }
        notes.note(work.written, at: model.clock)
        try expectSummary(summary)
    }

    func failUpdate() throws {
        var work = ModelUpdate(state: model)
        do {
            try store.update { source in
                try edit(source, &work)
                throw Refusal()
            }
            try expect(false, "the update did not throw")
        } catch is Refusal {}
    }

    /// Runs an update inside another one. The inner update takes effect first; the writes of the outer one follow.
    func nestUpdates() throws {
        var inner = ModelUpdate(state: model)
        var written: [(id: String, key: String, value: ModelValue)] = []
        _ = try store.update { source in
            try store.update { try edit($0, &inner) }
            publish(replacing: inner.replaced) { inner.land(in: &$0) }
            notes.note(inner.written, at: model.clock)
            let ids = inner.state.records.keys.filter(isNamed).sorted()
            for _ in 0..<generator.below(4) where !ids.isEmpty {
                let (id, value) = (generator.pick(ids), generator.below(4))
                guard let record = source.get(DataID(id)) else { continue }
                tell?("outer i0 of \(id)")
                try record.setValue(.int(value), forField: "i0")
                written.append((id, "i0", .scalar(.int(value))))
            }
        }
        // A record that the inner update deleted does not come back.
        var landed: [String: ModelWritten] = [:]
        publish { state in
            for (id, key, value) in written where state.records[id] != nil {
                state.records[id]?.fields[key] = value
                landed[id, default: .init()].keys.insert(key)
            }
        }
        notes.note(landed, at: model.clock)
    }

    func publishWithUpdater() throws {
        let chosen = operation(.anything)
        guard let held = try normalize(chosen, like: nil) else { return }
        var work = ModelUpdate(state: model)
        work.state.write(held.answer)
        let fails = generator.chance(20)
        do {
            try store.publish(held.staged, for: chosen.bound) { source in
                try edit(source, &work)
                if fails { throw Refusal() }
            }
        } catch is Refusal {}
        if fails { return }
        publish(replacing: work.replaced.union(held.answer.entries.map(\.id).filter(work.deleted.contains))) {
            work.land(in: &$0)
        }
        guard chosen.bound.artifact.kind != .query else { return }
        var written = held.answer.written
        for (id, one) in work.written {
            if one.isDeleted || one.isReplaced {
                written[id] = one
            } else {
                written[id, default: .init()].keys.formUnion(one.keys)
            }
        }
        notes.note(written, at: model.clock)
    }

    // MARK: - Edits

    /// Performs random edits in the store and in the model, and checks that the update reads equal values in both.
    private func edit(_ source: RecordSourceProxy, _ work: inout ModelUpdate) throws {
        for _ in 0..<(1 + generator.below(5)) {
            let known = Set(work.state.records.keys).union(work.state.deleted)
            let ids: [String] = known.union([ModelState.root, "new0", "new1"]).filter(isNamed).sorted()
            let id: String = generator.pick(ids)
            let record = id == ModelState.root ? source.root : source.get(DataID(id))
            let exists = work.state.records[id] != nil
            try expect((record != nil) == (exists || id == ModelState.root), "an update finds \(id)")
            let choice = generator.below(20)
            tell?("edit \(choice) of \(id)")
            switch choice {
            case 0, 1: try create(source, &work)
            case 2, 3:
                do {
                    try source.delete(DataID(id))
                    try expect(id != ModelState.root, "the root was deleted")
                    work.delete(id)
                } catch UpdateError.root {}
            case 4 where generator.chance(30):
                // Links of records that only the file has are not found.
                guard disk == nil, id != ModelState.root else { break }
                try source.delete(DataID(id), removingReferences: true)
                work.delete(id)
                work.removeReferences(to: id)
            case 4:
                guard let record, generator.chance(50) else { break }
                try record.invalidate()
                work.invalidated.append(id)
            case 5:
                guard generator.chance(10) else { break }
                try source.invalidateStore()
                work.invalidatesStore = true
            case 6:
                let from = generator.pick(ids)
                guard let record, let other = source.get(DataID(from)) else { break }
                try record.copyFields(from: other)
                for (key, value) in work.state.records[from]?.fields ?? [:] where key != "id" {
                    work.set(id, key, value)
                }
            case 7...10: if let record { try link(record, id, source, ids, &work) }
            case 11...13: if let record { try read(record, id, work.state) }
            default: if let record { try write(record, id, &work) }
            }
        }
    }

    private func create(_ source: RecordSourceProxy, _ work: inout ModelUpdate) throws {
        let id = generator.pick(Universe.nodes + ["new0", "new1", "new2"])
        var type = generator.pick(Universe.nodeTypes)
        if universe.isStable, let index = Universe.nodes.firstIndex(of: id) { type = Universe.nodeTypes[index % 3] }
        do {
            let record = try source.create(DataID(id), type: TypeName(type))
            try expect(work.state.presence(id) != .existing, "\(id) was created twice")
            work.create(id, type)
            if generator.chance(70) {
                try record.setValue(.string(id), forField: "id")
                work.set(id, "id", .scalar(.string(id)))
            }
        } catch UpdateError.exists {
            try expect(work.state.presence(id) == .existing, "\(id) does not exist and could not be created")
        }
    }

    private func write(_ record: RecordProxy, _ id: String, _ work: inout ModelUpdate) throws {
        let (name, type) = generator.pick(Universe.scalars.filter { $0.type != "@Word" })
        let arguments: [String: JSONValue] = generator.chance(20) ? ["n": 2] : [:]
        let value: JSONValue =
            switch type {
            case "Int", "Int!": .int(generator.below(4))
            case "Float": .double(Double(generator.below(4)) / 4 + 0.125)
            case "Boolean": .bool(generator.chance(50))
            case "[Int!]": .array((0..<generator.below(3)).map { .int($0) })
            case "[[String]]": generator.pick([[["a"], nil], [[]], []])
            case "%JSON": generator.pick([["a": 1], "x", nil])
            default: .string(generator.pick(["plain", "RED", "quote \" and \\"]))
            }
        try record.setValue(value, forField: name, arguments: arguments)
        work.set(id, arguments.isEmpty ? name : "\(name)(n:2)", Self.stored(value))
    }

    private static func stored(_ value: JSONValue) -> ModelValue {
        switch value {
        case .array(let values): .list(values.map(stored))
        case .object: .scalar(.string(value.text))
        default: .scalar(value)
        }
    }

    private func link(
        _ record: RecordProxy, _ id: String, _ source: RecordSourceProxy, _ ids: [String], _ work: inout ModelUpdate
    ) throws {
        switch generator.below(5) {
        case 3, 4: try editList(record, id, source, ids, &work)
        case 0:
            let name = generator.pick(["o0", "or", "a0"])
            let target = generator.chance(15) ? nil : source.get(DataID(generator.pick(ids)))
            try record.setLinkedRecord(target, forField: name)
            work.set(id, name, target.map { .link($0.dataID.rawValue) } ?? .scalar(.null))
        case 1:
            let name = generator.pick(["lo", "la"])
            if generator.chance(10) {
                try record.setLinkedRecords(nil, forField: name)
                work.set(id, name, .scalar(.null))
            } else {
                let targets = (0..<generator.below(4)).map { _ in source.get(DataID(generator.pick(ids))) }
                try record.setLinkedRecords(targets, forField: name)
                work.set(id, name, .links(targets.map { $0?.dataID.rawValue }))
            }
        default:
            let known: String? =
                if case .link(let target)? = work.state.records[id]?.fields["p0"],
                    work.state.presence(target) == .existing
                { target } else { nil }
            let target = try record.getOrCreateLinkedRecord(forField: "p0", type: "P").dataID.rawValue
            if let known {
                try expect(target == known, "\(id).p0 was made though it was there")
            } else {
                if work.state.records[id] == nil { work.create(id, "__Root") }
                work.create(target, "P")
                work.set(id, "p0", .link(target))
            }
        }
    }

    private func editList(
        _ record: RecordProxy, _ id: String, _ source: RecordSourceProxy, _ ids: [String], _ work: inout ModelUpdate
    ) throws {
        let name = generator.pick(["lo", "la"])
        let other = generator.pick(ids)
        guard let target = source.get(DataID(other)) else { return }
        var known: [String?]?
        if case .links(let links)? = work.state.records[id]?.fields[name] { known = links }
        let choice = generator.below(3)
        if choice == 2 {
            let count = try record.field(name).remove(target)
            try expect(count == (known ?? []).count { $0 == other }, "\(count) items were removed from \(id).\(name)")
            if count > 0 { work.set(id, name, .links((known ?? []).filter { $0 != other })) }
            return
        }
        let isAdded = try choice == 0 ? record.field(name).append(target) : record.field(name).prepend(target)
        try expect(
            isAdded == (known.map { !$0.contains(other) } ?? false), "\(other) was added to \(id).\(name): \(isAdded)")
        guard isAdded, let known else { return }
        work.set(id, name, .links(choice == 0 ? known + [other] : [other] + known))
    }

    private func read(_ record: RecordProxy, _ id: String, _ state: ModelState) throws {
        try expect(record.typename?.rawValue == state.records[id]?.type, "an update reads the type of \(id)")
        let fields = state.records[id]?.fields ?? [:]
        for (name, _) in Universe.scalars {
            let expected: JSONValue? = fields[name].flatMap { value in
                switch value {
                case .link, .links: nil
                default: value.json
                }
            }
            try expect(record.value(forField: name) == expected, "an update reads \(id).\(name)")
        }
        let existing = { (id: String?) in id.flatMap { state.presence($0) == .existing ? $0 : nil } }
        for (name, _) in Universe.objects {
            switch fields[name] {
            case .link(let target):
                try expect(
                    record.linkedRecord(forField: name)?.dataID.rawValue == existing(target),
                    "an update follows \(id).\(name)")
            case .links(let targets):
                try expect(
                    record.linkedRecords(forField: name)?.map { $0?.dataID.rawValue } == targets.map(existing),
                    "an update follows the list \(id).\(name)")
            default: try expect(record.linkedRecord(forField: name) == nil, "an update follows \(id).\(name)")
            }
        }
    }
}

extension ModelValue {
    /// The value without list items that link to a record; a single link stays.
    fileprivate func removing(_ target: String) -> ModelValue {
        switch self {
        case .links(let ids): .links(ids.filter { $0 != target })
        case .list(let values): .list(values.map { $0.removing(target) })
        default: self
        }
    }
}
