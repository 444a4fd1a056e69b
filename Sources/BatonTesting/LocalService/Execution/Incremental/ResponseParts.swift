import Baton
import BatonDiagnostics

/// Executes what arrives later, and writes the payloads of a response.
///
/// Lists come before fragments. So a fragment that selects a list with `@stream` once more finds it complete.
///
/// A part has all fields of its fragment. In the announced format, what was sent before is subtracted, so that each
/// field is sent once, beside the object to which it belongs. Specification of that format:
/// https://github.com/graphql/defer-stream-wg/discussions/69
struct ResponseParts {
    private let execution: Execution
    private let format: LocalService.IncrementalFormat
    private let lines: LineTable
    private var lists: [Waiting] = []
    private var fragments: [Waiting] = []
    private var known: Set<LaterPart.Identity> = []
    private var lastID = -1
    /// The number of problems that were sent.
    private var sentProblems = 0
    /// All data that were sent.
    private(set) var sent: JSONValue

    private struct Waiting {
        let id: String
        let part: LaterPart
    }

    init(
        _ execution: Execution, format: LocalService.IncrementalFormat, lines: LineTable, data: JSONValue
    ) {
        self.execution = execution
        self.format = format
        self.lines = lines
        sent = data
    }

    /// The payloads of the response. The first has the data that come at once.
    mutating func payloads() -> [JSONValue] {
        var first: [JSONValue.Member] = []
        if let errors = takeErrors() { first.append(errors) }
        first.append(.init("data", sent))
        first += announcements()
        guard hasNext else { return [.object(first)] }
        var payloads = [JSONValue.object(first + [.init("hasNext", true)])]
        while let waiting = lists.isEmpty ? fragments.first : lists.first {
            if lists.isEmpty { fragments.removeFirst() } else { lists.removeFirst() }
            switch waiting.part.content {
            case .fragment(let fragment): payloads.append(payload(waiting, fragment))
            case .items(let items): payloads += self.payloads(waiting, items)
            }
        }
        return payloads
    }

    private var hasNext: Bool { !lists.isEmpty || !fragments.isEmpty }

    /// Notes the parts that were found, and announces them if the format does.
    private mutating func announcements() -> [JSONValue.Member] {
        var announced: [JSONValue] = []
        for part in execution.takeFound() where known.insert(part.identity).inserted {
            lastID += 1
            let waiting = Waiting(id: String(lastID), part: part)
            if part.isList { lists.append(waiting) } else { fragments.append(waiting) }
            var members: [JSONValue.Member] = [
                .init("id", .string(waiting.id)), .init("path", .array(part.path.map(\.json))),
            ]
            if let label = part.label { members.append(.init("label", .string(label))) }
            announced.append(.object(members))
        }
        return format == .announced && !announced.isEmpty ? [.init("pending", .array(announced))] : []
    }

    // MARK: - Fragments

    private mutating func payload(_ waiting: Waiting, _ fragment: LaterPart.Fragment) -> JSONValue {
        let part = waiting.part
        let data = execution.finish(part, fragment)
        var pending = announcements()
        if format == .labelled {
            let errors = takeErrors()
            if let data { sent.merge(data, at: part.path) }
            return later(part, part.path, .init("data", data ?? .null), errors)
        }
        var difference = JSONDifference()
        if let data { difference.subtract(sent.value(at: part.path), from: data) }
        guard let data, !difference.isConflicting else { return failed(waiting, pending) }
        let errors = takeErrors { [sent] problem in
            // A field that was sent before has its error there.
            sent.value(at: problem.path ?? []) == nil
        }
        sent.merge(data, at: part.path)
        var incremental = difference.objects.map { object -> [JSONValue.Member] in
            var members: [JSONValue.Member] = [.init("id", .string(waiting.id))]
            if !object.path.isEmpty { members.append(.init("subPath", .array(object.path.map(\.json)))) }
            return members + [.init("data", .object(object.members))]
        }
        if let errors {
            if incremental.isEmpty { incremental = [[.init("id", .string(waiting.id)), .init("data", .object([]))]] }
            incremental[0].append(errors)
        }
        if !incremental.isEmpty { pending.append(.init("incremental", .array(incremental.map { .object($0) }))) }
        return ended(pending, [completed(waiting)])
    }

    // MARK: - Lists

    private mutating func payloads(_ waiting: Waiting, _ items: LaterPart.Items) -> [JSONValue] {
        let part = waiting.part
        var payloads: [JSONValue] = []
        for index in items.start..<items.values.count {
            let isLast = index == items.values.count - 1
            let item = execution.finish(part, items, index)
            var members = announcements()
            if let item { sent.append(item, at: part.path) }
            if format == .labelled {
                let place = part.path + [.index(index)]
                // The other items of the list still come.
                let isOver = isLast || item == nil
                payloads.append(
                    later(part, place, .init("items", item.map { [$0] } ?? .null), takeErrors(), isOver: isOver))
                if item == nil { break }
                continue
            }
            guard let item else {
                payloads.append(failed(waiting, members))
                break
            }
            var content: [JSONValue.Member] = [.init("id", .string(waiting.id)), .init("items", [item])]
            if let errors = takeErrors() { content.append(errors) }
            members.append(.init("incremental", [.object(content)]))
            payloads.append(isLast ? ended(members, [completed(waiting)]) : .object(members + [.init("hasNext", true)]))
        }
        return payloads
    }

    // MARK: - Members of payloads

    /// A payload of the labelled format.
    private func later(
        _ part: LaterPart, _ path: [JSONValue.PathComponent], _ content: JSONValue.Member,
        _ errors: JSONValue.Member?, isOver: Bool = true
    ) -> JSONValue {
        var members: [JSONValue.Member] = []
        if let label = part.label { members.append(.init("label", .string(label))) }
        members += [.init("path", .array(path.map(\.json))), content]
        if let errors { members.append(errors) }
        return .object([.init("incremental", [.object(members)]), .init("hasNext", .bool(!isOver || hasNext))])
    }

    private func completed(_ waiting: Waiting, _ errors: JSONValue.Member? = nil) -> JSONValue {
        .object([.init("id", .string(waiting.id))] + (errors.map { [$0] } ?? []))
    }

    private mutating func failed(_ waiting: Waiting, _ members: [JSONValue.Member]) -> JSONValue {
        ended(members, [completed(waiting, takeErrors())])
    }

    private func ended(_ members: [JSONValue.Member], _ completed: [JSONValue]) -> JSONValue {
        .object(members + [.init("completed", .array(completed)), .init("hasNext", .bool(hasNext))])
    }

    private mutating func takeErrors(where isNew: (RequestProblem) -> Bool = { _ in true }) -> JSONValue.Member? {
        let problems = execution.problems.dropFirst(sentProblems).filter(isNew)
        sentProblems = execution.problems.count
        return problems.isEmpty ? nil : .init("errors", .array(problems.map { $0.json(lines) }))
    }
}
