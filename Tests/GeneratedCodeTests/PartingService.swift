import Baton
import BatonTesting
import Synchronization

/// A service that delivers answers in parts. A `LocalService` gives the whole answer, which is then cut.
final class PartingService: NetworkLayer {
    /// A part of the answer: fields of an object, or the items of a list from a position on.
    enum Cut {
        case fields(String, [JSONValue.PathComponent], [String])
        case items(String, [JSONValue.PathComponent], from: Int)

        var label: String {
            switch self {
            case .fields(let label, _, _), .items(let label, _, _): label
            }
        }
    }

    /// The notation of the parts.
    enum Format: CaseIterable {
        /// `label`, `path` and `data` or `items` at the top level.
        case labels
        /// `pending` announces the parts, which refer to their announcements by `id`.
        case announced
    }

    private let service: LocalService
    private let cuts: [Cut]
    private let order: [Int]
    private let format: Format
    private let sent = Mutex<[String]>([])

    /// Makes a service. A cut comes before the cuts around it. `order` has the numbers of the cuts in the order in
    /// which the parts arrive. Parts that it leaves out come with the first payload.
    init(_ service: LocalService, _ cuts: [Cut], order: [Int], _ format: Format = .labels) {
        self.service = service
        self.cuts = cuts
        self.order = order
        self.format = format
    }

    /// The texts of the requests.
    var texts: [String] { sent.withLock { $0 } }

    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        throw LocalError("the answer comes in parts")
    }

    func responses(to request: NetworkRequest) -> AsyncThrowingStream<NetworkResponse, any Error> {
        sent.withLock { $0.append(request.text ?? "") }
        var answer = service.execute(request.text ?? "", variables: .object(request.variables))
        var parts: [Int: [JSONValue.Member]] = [:]
        for (number, cut) in cuts.enumerated() where order.contains(number) {
            parts[number] = Self.take(cut, from: &answer)
        }
        var payloads: [JSONValue] = []
        if case .object(var members) = answer {
            if format == .announced { members.append(.init("pending", .array(order.map(announcement)))) }
            payloads.append(.object(members + [.init("hasNext", .bool(!order.isEmpty))]))
        }
        for (position, number) in order.enumerated() {
            var members = parts[number] ?? []
            let hasNext = JSONValue.Member("hasNext", .bool(position + 1 < order.count))
            switch format {
            case .labels:
                payloads.append(.object([.init("label", .string(cuts[number].label))] + members + [hasNext]))
            case .announced:
                members.removeAll { $0.name == "path" }
                let id = JSONValue.Member("id", .string(String(number)))
                payloads.append(
                    [
                        "incremental": [.object([id] + members)], "completed": [.object([id])],
                        "hasNext": hasNext.value,
                    ])
            }
        }
        return AsyncThrowingStream { continuation in
            for (position, payload) in payloads.enumerated() {
                continuation.yield(
                    NetworkResponse(body: Array(payload.text.utf8), hasNext: position + 1 < payloads.count))
            }
            continuation.finish()
        }
    }

    private func announcement(_ number: Int) -> JSONValue {
        switch cuts[number] {
        case .fields(let label, let path, _), .items(let label, let path, _):
            ["id": .string(String(number)), "label": .string(label), "path": Self.json(path)]
        }
    }

    private static func json(_ path: [JSONValue.PathComponent]) -> JSONValue {
        .array(
            path.map { component in
                switch component {
                case .key(let key): .string(key)
                case .index(let index): .int(index)
                }
            })
    }

    /// Cuts a part out of an answer, and returns its members.
    private static func take(_ cut: Cut, from answer: inout JSONValue) -> [JSONValue.Member] {
        var taken: [JSONValue.Member] = []
        switch cut {
        case .fields(_, let path, let names):
            answer.change(at: [.key("data")] + path) { value in
                guard case .object(let members) = value else { return }
                taken = [
                    .init("path", json(path)), .init("data", .object(members.filter { names.contains($0.name) })),
                ]
                value = .object(members.filter { !names.contains($0.name) })
            }
        case .items(_, let path, let first):
            answer.change(at: [.key("data")] + path) { value in
                guard case .array(let items) = value else { return }
                taken = [
                    .init("path", json(path + [.index(first)])), .init("items", .array(Array(items.dropFirst(first)))),
                ]
                value = .array(Array(items.prefix(first)))
            }
        }
        return taken
    }
}

extension JSONValue {
    /// Changes the value at a path, if there is one.
    fileprivate mutating func change(at path: [JSONValue.PathComponent], _ body: (inout JSONValue) -> Void) {
        guard let first = path.first else { return body(&self) }
        let rest = Array(path.dropFirst())
        switch (first, self) {
        case (.key(let key), .object(var members)):
            guard let index = members.firstIndex(where: { $0.name == key }) else { return }
            members[index].value.change(at: rest, body)
            self = .object(members)
        case (.index(let index), .array(var items)) where items.indices.contains(index):
            items[index].change(at: rest, body)
            self = .array(items)
        default: break
        }
    }
}
