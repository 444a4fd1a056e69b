import Baton

/// Writes random answers in random parts, and compares the store and the results with those of the whole responses.
package struct PartsModel {
    /// The counts of a campaign.
    package struct Tally: Sendable {
        /// The number of documents, each with several responses.
        package var documents = 0
        /// The number of responses in parts.
        package var splits = 0
        /// The number of payloads of these answers.
        package var payloads = 0
        /// The number of fields that a reader lacked between two payloads and knew to be on their way.
        package var expected = 0
        package var failure: String?

        package init() {}

        package mutating func add(_ other: Tally) {
            documents += other.documents
            splits += other.splits
            payloads += other.payloads
            expected += other.expected
            failure = failure ?? other.failure
        }
    }

    private struct Mismatch: Error, CustomStringConvertible {
        let description: String
    }

    private static let rounds = 5

    /// Compares the responses to the document of a seed, in both formats.
    package static func run(seed: UInt64, into tally: inout Tally) {
        tally.documents += 1
        let document = PartsDocument(seed: seed)
        for isAnnounced in [false, true] {
            do {
                try run(document, seed, isAnnounced, &tally)
            } catch {
                let format = isAnnounced ? "current" : "older"
                tally.failure =
                    "seed \(seed), the \(format) format: \(error)\nplan \(document.plan(isLater: true, after: nil))"
                return
            }
        }
    }

    private static func run(
        _ document: PartsDocument, _ seed: UInt64, _ isAnnounced: Bool, _ tally: inout Tally
    ) throws {
        let (whole, split) = (try store(), try store())
        for round in 0..<rounds {
            let cursor = PartsDocument.cursor(ofRound: round)
            let answerSeed = (seed << 8 + UInt64(round)) << 1 + (isAnnounced ? 1 : 0)
            let answer = PartsAnswer(document.selections, round: round, seed: answerSeed)
            let plain = document.plan(isLater: false, after: cursor)
            let operation = Self.operation(plain, plain, in: whole)
            try land(try whole.normalize(answer.whole.jsonBytes, for: operation), operation, in: whole)
            let later = Self.operation(document.plan(isLater: true, after: cursor), plain, in: split)
            let payloads = isAnnounced ? answer.announcedPayloads() : answer.flatPayloads()
            let texts = { payloads.map(\.text).joined(separator: "\n") }
            do {
                try land(payloads, later, in: split, &tally)
            } catch {
                throw Mismatch(description: "round \(round): \(error)\n\(texts())")
            }
            let (expected, found) = (whole.dump(), split.dump())
            guard expected == found else {
                throw Mismatch(
                    description: "round \(round) ends in another store\n\(difference(expected, found))\n\(texts())")
            }
            let violations = split.checkInvariants()
            guard violations.isEmpty else { throw Mismatch(description: "\(violations)") }
            guard Self.result(of: operation, in: whole) == Self.result(of: later, in: split) else {
                throw Mismatch(description: "round \(round) ends in another result\n\(texts())")
            }
        }
    }

    private static func operation(_ plan: String, _ reader: String, in store: Store) -> BoundOperation {
        let artifact = GeneratedCode.OperationArtifact(
            name: "Parts", kind: .mutation, text: "", normalization: plan, reader: reader)
        return store.bind(artifact, variables: .object([]))
    }

    /// Writes payloads as the environment does.
    private static func land(
        _ payloads: [JSONValue], _ operation: BoundOperation, in store: Store, _ tally: inout Tally
    ) throws {
        tally.splits += 1
        tally.payloads += payloads.count
        guard var delivery = IncrementalDelivery(operation) else {
            guard payloads.count == 2 else { throw Mismatch(description: "nothing arrives later") }
            return try land(try store.normalize(payloads[0].jsonBytes, for: operation), operation, in: store)
        }
        var unexpected: Set<LackingField> = []
        var hasBegun = false
        for (index, payload) in payloads.enumerated() {
            let part = try store.normalize(
                payload.jsonBytes, into: &delivery, isLast: index == payloads.count - 1)
            try land(part.response, operation, in: store)
            store.settle(delivery)
            hasBegun = hasBegun || part.isFirst
            // Before the beginning of the response nobody can see its places.
            guard hasBegun else { continue }
            for (field, isComing) in store.lackingFields(of: operation, during: delivery) {
                if isComing { tally.expected += 1 } else { unexpected.insert(field) }
            }
        }
        try delivery.finish()
        // A field that a reader lacks between two parts is known to be on its way, if it comes at all.
        if let field = unexpected.first(where: { !store.lacks($0) }) {
            throw Mismatch(description: "nobody knew that \(store.text(of: field)) was on its way")
        }
        guard delivery.isFilled else { throw Mismatch(description: "something is on its way after the last part") }
    }

    private static func land(_ response: StagedResponse, _ operation: BoundOperation, in store: Store) throws {
        try store.publish(response, for: operation, updating: { _ in })
    }

    private static func result(of operation: BoundOperation, in store: Store) -> JSONValue? {
        guard case .success(let plan) = operation.artifact.reader.plan else { return nil }
        return store.read(AnyData.self, of: operation).data?.json(plan.items)
    }

    private static func difference(_ expected: String, _ found: String) -> String {
        let (own, other) = (expected.split(separator: "\n"), found.split(separator: "\n"))
        let lacking = Set(own).subtracting(other).sorted().map { "- \($0)" }
        let added = Set(other).subtracting(own).sorted().map { "+ \($0)" }
        return (lacking + added).joined(separator: "\n")
    }

    // MARK: - The store

    /// A store with the connection to which some operations add edges.
    private static func store() throws -> Store {
        let store = Store(options: StoreOptions(fieldHandlers: [digest]))
        let plan =
            "{nine:+User{id:ID! posts(first:2):Posts@connection(\"K\"){edges:[Edge]{cursor:String node:+Post{id:ID!}}}}}"
        let operation = operation(plan, plan, in: store)
        let answer =
            #"{"data":{"nine":{"id":"9","posts":{"edges":[{"cursor":"x","node":{"id":"p8"}},{"cursor":"y","node":{"id":"p1"}}]}}}}"#
        try land(try store.normalize(Array(answer.utf8), for: operation), operation, in: store)
        return store
    }

    /// A handler of an application that reads everything below its field.
    private static let digest = FieldHandler("digest") { store, field in
        let record = field.source.linkedRecord
        try field.target.setLinkedRecord(record)
        let id = DataID("digest of \(field.target.record.dataID) \(field.target.storageKey)")
        let digest = try store.get(id) ?? store.create(id, type: "Digest")
        try digest.setValue(.string(record.map { text(of: $0, depth: 0) } ?? "null"), forField: "text")
    }

    private static func text(of record: RecordProxy, depth: Int) -> String {
        guard depth < 4 else { return "" }
        let leaves = ["name", "city", "total", "note", "cursor", "weight", "title", "rank", "endCursor", "hasNextPage"]
        var parts = leaves.map { record.value(forField: $0)?.text ?? "-" }
        for link in ["node", "pageInfo"] {
            if let linked = record.linkedRecord(forField: link) { parts.append(text(of: linked, depth: depth + 1)) }
        }
        for edge in record.linkedRecords(forField: "edges") ?? [] {
            parts.append(edge.map { text(of: $0, depth: depth + 1) } ?? "null")
        }
        return "(\(parts.joined(separator: " ")))"
    }
}
