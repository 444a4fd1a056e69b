/// One reading of several cores: what a handle shows that consists of others.
///
/// It is a value inside the lock of the handle. The cores are read outside that lock.
struct CombinedReading: Sendable {
    private var reading: Reading?
    /// The readings that were combined last; nil if the next reading is a new one in any case.
    private var parts: [Reading]?

    /// Makes the next reading of the cores' readings. Readings that were combined before give the same one again.
    ///
    /// Returns nil if another thread has combined newer readings, so that the cores must be read again. `old` is to be
    /// released outside the lock.
    mutating func combine(
        _ parts: [Reading], _ content: ([Reading]) -> Reading.Content
    ) -> (reading: Reading?, old: Reading?) {
        if let reading, let last = self.parts {
            if last.elementsEqual(parts, by: ===) { return (reading, nil) }
            let isOld = zip(last, parts).contains { $0.revision > $1.revision }
            if isOld { return (nil, nil) }
        }
        let old = reading
        let publish = self.parts == nil ? nil : parts.compactMap { $0.storeChange?.publish }.max()
        self.parts = parts
        reading = Reading(after: old, content(parts), changedBy: publish)
        return (reading, old)
    }

    /// Returns the last reading instead of a new one, with another revision if the status has changed; nil if there is
    /// none.
    mutating func hold() -> Reading? {
        guard let reading else { return nil }
        guard parts == nil else { return reading }
        // No readings of cores are equal to these.
        parts = []
        let next = Reading(after: reading, reading.content, changedBy: nil)
        self.reading = next
        return next
    }

    /// Notes that the cores are others now, or that the status has changed.
    mutating func forget() { parts = nil }
}
