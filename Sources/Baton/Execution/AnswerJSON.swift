/// Puts an answer together again as JSON from the payloads in which it came.
enum AnswerJSON {
    /// The answer; nil if there are no payloads, or if the first is not JSON.
    ///
    /// - Parameter streams: the labels of lists whose items come later.
    static func value(of bodies: [[UInt8]], streams: Set<String>) -> JSONValue? {
        guard let first = bodies.first else { return nil }
        if bodies.count == 1, let value = try? JSONValue.parse(first), value["incremental"] == nil { return value }
        var answer = Answer(streams: streams)
        for body in bodies { answer.add(body) }
        return answer.value
    }

    private struct Answer {
        let streams: Set<String>
        var data: JSONValue?
        var errors: [JSONValue] = []
        var extensions: JSONValue?
        var others: [JSONValue.Member] = []
        var pending: [String: IncrementalPayload.Pending] = [:]
        var waiting: [(part: IncrementalPayload.Part, body: [UInt8])] = []

        private static let ofPayloads: Set<String> = [
            "data", "errors", "extensions", "hasNext", "pending", "incremental", "completed", "path", "label", "items",
        ]

        var value: JSONValue {
            var members: [JSONValue.Member] = []
            if let data { members.append(.init("data", data)) }
            if !errors.isEmpty { members.append(.init("errors", .array(errors))) }
            if let extensions { members.append(.init("extensions", extensions)) }
            return .object(members + others)
        }

        mutating func add(_ body: [UInt8]) {
            guard let payload = try? IncrementalPayload(body), let value = try? JSONValue.parse(body) else { return }
            if payload.hasData || data == nil && payload.parts.isEmpty {
                data = value["data"]
                if case .object(let members) = value { others = members.filter { !Self.ofPayloads.contains($0.name) } }
            }
            take(value)
            for key in ["incremental", "completed"] {
                if case .array(let parts)? = value[key] { for part in parts { take(part) } }
            }
            for announcement in payload.pending { pending[announcement.id] = announcement }
            waiting += payload.parts.map { ($0, body) }
            var count = -1
            while data != nil, !waiting.isEmpty, waiting.count != count {
                count = waiting.count
                waiting = waiting.filter { !land($0.part, $0.body) }
            }
        }

        private mutating func take(_ payload: JSONValue) {
            if case .array(let values)? = payload["errors"] { errors += values }
            if let value = payload["extensions"], value != .null { extensions = value }
        }

        private mutating func land(_ part: IncrementalPayload.Part, _ body: [UInt8]) -> Bool {
            var (path, label) = (part.path, part.label)
            if let id = part.id, part.label == nil {
                guard let known = pending[id] else { return false }
                (path, label) = (known.path, known.label)
            }
            path += part.subPath
            guard let data else { return false }
            var changed: JSONValue?
            switch part.content {
            case .nothing: return true
            case .object(let range):
                guard let object = try? JSONValue.parse(Array(body[range])) else { return true }
                if case .index(let index)? = path.last, let label, streams.contains(label) {
                    changed = data.changing(path.dropLast()) { $0.placing([object], at: index) }
                } else {
                    changed = data.changing(path[...]) { $0.merging(object) }
                }
            case .items(let range):
                guard case .array(let items)? = try? JSONValue.parse(Array(body[range])) else { return true }
                if case .index(let index)? = path.last,
                    data.changing(path.dropLast(), { $0.items == nil ? nil : $0 }) != nil
                {
                    changed = data.changing(path.dropLast()) { $0.placing(items, at: index) }
                } else {
                    changed = data.changing(path[...]) { $0.placing(items, at: $0.items?.count ?? 0) }
                }
            }
            if let changed { self.data = changed }
            return changed != nil
        }
    }
}

extension JSONValue {
    fileprivate var items: [JSONValue]? { if case .array(let items) = self { items } else { nil } }

    /// The same with another value at a path; nil if there is no such path. Recursion is bounded by the depth of the value.
    fileprivate func changing(_ path: ArraySlice<PathComponent>, _ change: (JSONValue) -> JSONValue?) -> JSONValue? {
        guard let first = path.first else { return change(self) }
        switch (first, self) {
        case (.key(let key), .object(var members)):
            guard let index = members.firstIndex(where: { $0.name == key }),
                let value = members[index].value.changing(path.dropFirst(), change)
            else { return nil }
            members[index].value = value
            return .object(members)
        case (.index(let index), .array(var items)):
            guard items.indices.contains(index), let value = items[index].changing(path.dropFirst(), change) else {
                return nil
            }
            items[index] = value
            return .array(items)
        default: return nil
        }
    }

    /// Both objects in one, the members of members too; what is no object is replaced.
    fileprivate func merging(_ other: JSONValue) -> JSONValue {
        switch (self, other) {
        case (.object(var members), .object(let more)):
            for member in more {
                if let index = members.firstIndex(where: { $0.name == member.name }) {
                    members[index].value = members[index].value.merging(member.value)
                } else {
                    members.append(member)
                }
            }
            return .object(members)
        case (.array(let items), .array(let more)) where items.count == more.count:
            return .array(zip(items, more).map { $0.merging($1) })
        default: return other
        }
    }

    /// The same list with items from a position on, at most its end.
    fileprivate func placing(_ new: [JSONValue], at index: Int) -> JSONValue? {
        guard var items, index <= items.count else { return nil }
        items.replaceSubrange(index..<Swift.min(index + new.count, items.count), with: new)
        return .array(items)
    }
}
