/// What layers make of a change of the base: they are run again in order over the records that they touch.
///
/// A value without side effects, so that it can be thrown away when another publish comes in between. Updaters run here, outside every lock.
struct LayerReplay {
    /// What it starts from; everything belongs to one moment.
    struct Start {
        /// The newest version.
        let records: Records
        let component: LayerStack.Component
        /// The layers of the component in order, as they are to be.
        let layers: [OptimisticLayer]
        /// Layers that run in any case.
        let mustRun: Set<LayerID>
        /// Records below which something changes already: those of a layer that goes.
        let dirty: Set<RecordID>
    }

    /// What a record is to be.
    struct Target: Sendable {
        let record: RecordID
        /// What readers see.
        let top: WholeRecord
        /// What it is without layers.
        let base: WholeRecord
        /// A layer writes it.
        let isCovered: Bool
    }

    /// A run of an updater that threw.
    struct Failure {
        let layer: OptimisticLayer
        let error: any Error
    }

    private(set) var targets: [Target] = []
    private(set) var layers: [OptimisticLayer] = []
    private(set) var failures: [Failure] = []
    /// Layers that should have run and were not allowed to.
    private(set) var stale: Set<LayerID> = []
    /// Records that the layers touched for the first time.
    private(set) var newlyTouched: Set<RecordID> = []
    let component: LayerStack.Component
    /// The version that it started from.
    let epoch: Epoch

    /// Runs the layers. Without updaters they do what they did last, which is for those who hold a lock.
    init(_ start: borrowing Start, _ staged: StagedRecords, runsUpdaters: Bool, _ names: NameTable) {
        component = start.component
        epoch = start.records.epoch
        let records = start.records
        var dirty = start.dirty
        // The base with the change, for the records that layers touched.
        var bases: [RecordID: WholeRecord] = [:]
        for record in start.component.records {
            let position = staged.position(of: record)
            guard position != nil || records.isCovered(record) else { continue }
            var base = records.base(of: record)
            if let position, base.merge(staged, at: position, names) { dirty.insert(record) }
            bases[record] = base
        }
        let hasNewFacts = staged.hasNewFacts(in: records)
        var current = bases
        var written: Set<RecordID> = []
        for var layer in start.layers {
            var mustRun = start.mustRun.contains(layer.id)
            if !mustRun, !dirty.isEmpty { mustRun = !layer.touched.isDisjoint(with: dirty) }
            let isOtherBelow = !staged.isEmpty || !dirty.isEmpty
            if !mustRun { mustRun = layer.usesTypeFacts && hasNewFacts || layer.readsAll && isOtherBelow }
            if mustRun {
                dirty.formUnion(layer.outcome.entries.map(\.record))
                let below = Below(records: records, answer: staged, settled: current, names: names)
                switch layer.change {
                case .response(let response) where runsUpdaters || !response.needsFieldHandlers:
                    expect(response, of: &layer, below)
                case .updater(let body) where runsUpdaters: run(body, of: &layer, below)
                case .response, .updater: stale.insert(layer.id)
                }
                dirty.formUnion(layer.outcome.entries.map(\.record))
            }
            for (position, entry) in layer.outcome.entries.enumerated() {
                written.insert(entry.record)
                if current[entry.record] == nil {
                    let base = Self.base(of: entry.record, records, staged, names)
                    bases[entry.record] = base
                    current[entry.record] = base
                }
                _ = current[entry.record]?.merge(layer.outcome, at: position, names)
            }
            layers.append(layer)
        }
        for (record, base) in bases {
            let top = current[record] ?? base
            targets.append(Target(record: record, top: top, base: base, isCovered: written.contains(record)))
        }
    }

    private static func base(
        of record: RecordID, _ records: Records, _ staged: StagedRecords, _ names: NameTable
    ) -> WholeRecord {
        var base = records.base(of: record)
        if let position = staged.position(of: record) { _ = base.merge(staged, at: position, names) }
        return base
    }

    /// What a layer sees.
    private struct Below {
        let records: Records
        let answer: StagedRecords
        let settled: [RecordID: WholeRecord]
        let names: NameTable

        func source(settled: [RecordID: WholeRecord]? = nil) -> RecordSourceProxy {
            RecordSourceProxy(
                base: records, answer: answer, settled: settled ?? self.settled, names: names, payloadRoot: nil,
                isLayer: true)
        }

        func record(_ record: RecordID) -> WholeRecord {
            settled[record] ?? LayerReplay.base(of: record, records, answer, names)
        }
    }

    private mutating func run(
        _ body: @Sendable (RecordSourceProxy) throws -> Void, of layer: inout OptimisticLayer, _ below: Below
    ) {
        let source = below.source()
        do {
            try run(source, body)
            layer.outcome = source.finish()
        } catch {
            source.end()
            layer.outcome = StagedRecords()
            failures.append(Failure(layer: layer, error: error))
        }
        // A layer is to come and go without a trace.
        layer.outcome.invalidatesStore = false
        layer.outcome.invalidated = []
        layer.outcome.invalidatedTargets = []
        note(source.reads, of: &layer)
    }

    /// Runs code of the application.
    private func run(_ source: RecordSourceProxy, _ body: (RecordSourceProxy) throws -> Void) throws {
        let mark = LayerRun()
        try LayerRun.$current.withValue(mark) {
            defer { mark.end() }
            try source.run(body)
        }
    }

    /// Puts an expected answer over what is there, with what becomes of its connections and of other fields with handlers.
    private mutating func expect(_ response: StagedRecords, of layer: inout OptimisticLayer, _ below: Below) {
        layer.outcome = response
        guard !response.handled.isEmpty else { return note(nil, of: &layer) }
        var settled = below.settled
        for (position, entry) in response.entries.enumerated() {
            var record = below.record(entry.record)
            _ = record.merge(response, at: position, below.names)
            settled[entry.record] = record
        }
        let source = below.source(settled: settled)
        do {
            try run(source) { try $0.runHandlers(response.handled) }
            layer.outcome.handled = []
            layer.outcome.append(source.finish(), below.names)
        } catch {
            source.end()
            layer.outcome = StagedRecords()
            failures.append(Failure(layer: layer, error: error))
        }
        note(source.reads, of: &layer)
    }

    private mutating func note(_ reads: UpdateReads?, of layer: inout OptimisticLayer) {
        layer.touched = Set(layer.outcome.entries.map(\.record)).union(reads?.records ?? [])
        layer.readsAll = reads?.isEverything ?? false
        layer.usesTypeFacts = reads?.usesTypeFacts ?? false
        for record in layer.touched where !component.records.contains(record) { newlyTouched.insert(record) }
    }
}

/// Marks the run of an optimistic updater, so that what it publishes itself does not run it again.
final class LayerRun: Sendable {
    @TaskLocal static var current: LayerRun?

    private let isRunning = Guarded(true)

    func end() { isRunning.withLock { $0 = false } }

    /// The caller is inside an optimistic updater.
    static var isInside: Bool { current?.isRunning.withLock { $0 } ?? false }
}
