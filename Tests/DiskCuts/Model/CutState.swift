import RandomCases

/// What files have when the power may go: what is on the disk for sure, and what may be on it.
///
/// A sync puts everything of its file on the disk. What was written to the file since then is there or not, each
/// sector of 512 bytes on its own and in any order. A file that was made, deleted or made anew is so after a sync of
/// the folder, and may be so before.
struct CutState {
    /// What of the unsynced is lost.
    enum Loss: CaseIterable {
        case nothing
        case everything
        /// What was done last.
        case end
        /// Any of it, and what is left took place in any order.
        case some
    }

    fileprivate enum Change {
        case write(offset: Int, bytes: [UInt8])
        case truncation(size: Int)
    }

    fileprivate struct File {
        let name: String
        var synced: [UInt8] = []
        var pending: [Change] = []
    }

    private struct Name {
        /// The file that has the name for sure; nil for none.
        var synced: Int?
        /// Those that may have it, in order.
        var pending: [Int?] = []
    }

    fileprivate static let sector = 512

    private var files: [Int: File] = [:]
    private var names: [String: Name] = [:]

    mutating func apply(_ event: FileTrace.Event) {
        switch event {
        case .made(let file, let name):
            files[file] = File(name: name)
            names[name, default: Name()].pending.append(file)
        case .deleted(let file, let isFolderSynced):
            if let name = files[file]?.name { names[name, default: Name()].pending.append(nil) }
            if isFolderSynced { syncFolder() }
        case .written(let file, let offset, let bytes):
            files[file]?.pending.append(.write(offset: offset, bytes: bytes))
        case .truncated(let file, let size): files[file]?.pending.append(.truncation(size: size))
        case .synced(let file, let isFolderSynced):
            for change in files[file]?.pending ?? [] { change.apply(to: &files[file]!.synced) }
            files[file]?.pending = []
            if isFolderSynced { syncFolder() }
        case .mark: break
        }
    }

    private mutating func syncFolder() {
        for name in names.keys {
            guard let last = names[name]?.pending.last else { continue }
            names[name] = Name(synced: last)
        }
    }

    /// Returns the files after a cut, by name.
    func files(after loss: Loss, _ generator: inout SeededGenerator) -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        for (text, name) in names.sorted(by: { $0.key < $1.key }) {
            let count = name.pending.count
            let kept =
                switch loss {
                case .nothing: count
                case .everything: 0
                case .end, .some: generator.below(count + 1)
                }
            guard let number = kept == 0 ? name.synced : name.pending[kept - 1], let file = files[number] else {
                continue
            }
            found[text] = file.bytes(after: loss, &generator)
        }
        return found
    }
}

extension CutState.File {
    fileprivate func bytes(after loss: CutState.Loss, _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = synced
        switch loss {
        case .everything: break
        case .nothing: for change in pending { change.apply(to: &bytes) }
        case .end:
            guard !pending.isEmpty else { break }
            let kept = generator.below(pending.count)
            for change in pending.prefix(kept) { change.apply(to: &bytes) }
            pending[kept].applyTorn(to: &bytes, &generator)
        case .some:
            let percent = generator.pick([5, 30, 50, 70, 95])
            var kept = generator.some(of: pending, percent: percent)
            if generator.chance(60) { kept.shuffle(using: &generator) }
            let torn = generator.pick([0, 10, 100])
            for change in kept {
                if generator.chance(torn) {
                    change.applyTorn(to: &bytes, &generator)
                } else {
                    change.apply(to: &bytes)
                }
            }
        }
        return bytes
    }
}

extension CutState.Change {
    fileprivate func apply(to file: inout [UInt8]) {
        switch self {
        case .write(let offset, let bytes): Self.write(bytes[...], at: offset, to: &file)
        case .truncation(let size):
            if file.count > size {
                file.removeSubrange(size...)
            } else {
                Self.extend(&file, to: size)
            }
        }
    }

    /// Writes some sectors of a write: whole ones, and few that are written in part or hold nothing of use.
    fileprivate func applyTorn(to file: inout [UInt8], _ generator: inout SeededGenerator) {
        guard case .write(let offset, let bytes) = self else {
            if generator.chance(50) { apply(to: &file) }
            return
        }
        let percent = generator.pick([20, 50, 80])
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + CutState.sector - (offset + start) % CutState.sector)
            defer { start = end }
            switch generator.below(100) {
            case ..<percent: Self.write(bytes[start..<end], at: offset + start, to: &file)
            case 99:
                let part = start + generator.below(end - start)
                Self.write(bytes[start..<part], at: offset + start, to: &file)
            case 98:
                var wrong = Array(bytes[start..<end])
                for place in wrong.indices { wrong[place] = UInt8(truncatingIfNeeded: generator.next()) }
                Self.write(wrong[...], at: offset + start, to: &file)
            default: break
            }
        }
    }

    private static func write(_ bytes: ArraySlice<UInt8>, at offset: Int, to file: inout [UInt8]) {
        extend(&file, to: offset + bytes.count)
        bytes.withUnsafeBytes { bytes in
            file.withUnsafeMutableBytes { file in
                UnsafeMutableRawBufferPointer(rebasing: file[offset...]).copyMemory(from: bytes)
            }
        }
    }

    private static func extend(_ file: inout [UInt8], to size: Int) {
        if file.count < size { file += [UInt8](repeating: 0, count: size - file.count) }
    }
}
