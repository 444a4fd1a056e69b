/// Builds the JSON of a whole response from its payloads.
enum ResponseJSON {
    /// Returns the response; nil if there are no payloads or the first is not JSON.
    ///
    /// - Parameter streams: The labels of the lists with `@stream`.
    static func value(of payloads: PayloadBodies, streams: Set<String>) -> JSONValue? {
        let bodies = payloads.all
        guard let first = bodies.first else { return nil }
        if bodies.count == 1, let value = try? JSONValue.parse(first), value["incremental"] == nil { return value }
        var joined = Joined(streams: streams)
        for body in bodies { joined.add(body) }
        return joined.value
    }

    /// The payloads so far, joined into one.
    private struct Joined {
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
            switch part.content {
            case .nothing: return data != nil
            case .object(let range):
                guard let object = try? JSONValue.parse(Array(body[range])) else { return true }
                if case .index(let index)? = path.last, let label, streams.contains(label) {
                    return data?.change(path.dropLast()) { $0.place([object], at: index) } == true
                }
                return data?.change(path[...]) { $0.merge(object) } == true
            case .items(let range):
                guard case .array(let items)? = try? JSONValue.parse(Array(body[range])) else { return true }
                if data?.change(path[...], { $0.place(items, at: nil) }) == true { return true }
                guard case .index(let index)? = path.last else { return false }
                return data?.change(path.dropLast()) { $0.place(items, at: index) } == true
            }
        }
    }
}

// Values are changed in place, so that an added item copies no list.
extension JSONValue {
    /// Changes the value at a path; returns false if the path does not exist or `body` returns false. The recursion is
    /// bounded by the depth of the value.
    fileprivate mutating func change(
        _ path: ArraySlice<JSONValue.PathComponent>, _ body: (inout JSONValue) -> Bool
    ) -> Bool {
        guard let first = path.first else { return body(&self) }
        switch (first, self) {
        case (.key(let key), .object(var members)):
            guard let index = members.firstIndex(where: { $0.name.hasSameBytes(as: key) }) else { return false }
            self = .null
            defer { self = .object(members) }
            return members[index].value.change(path.dropFirst(), body)
        case (.index(let index), .array(var items)):
            guard items.indices.contains(index) else { return false }
            self = .null
            defer { self = .array(items) }
            return items[index].change(path.dropFirst(), body)
        default: return false
        }
    }

    /// Merges the members of another object, and of the objects in it. A value that is no object is replaced.
    fileprivate mutating func merge(_ other: JSONValue) -> Bool {
        switch (self, other) {
        case (.object(var members), .object(let more)):
            self = .null
            for member in more {
                if let index = members.firstIndex(where: { $0.name.hasSameBytes(as: member.name) }) {
                    _ = members[index].value.merge(member.value)
                } else {
                    members.append(member)
                }
            }
            self = .object(members)
        case (.array(var items), .array(let more)) where items.count == more.count:
            self = .null
            for (index, item) in more.enumerated() { _ = items[index].merge(item) }
            self = .array(items)
        default: self = other
        }
        return true
    }

    /// Puts items into a list from a position on, or at its end. Returns false if the list is shorter than the
    /// position, or if the value is no list.
    fileprivate mutating func place(_ new: [JSONValue], at index: Int?) -> Bool {
        guard case .array(var items) = self else { return false }
        let index = index ?? items.count
        guard index <= items.count else { return false }
        self = .null
        items.replaceSubrange(index..<Swift.min(index + new.count, items.count), with: new)
        self = .array(items)
        return true
    }
}
