extension Records {
    /// The location and the state of a record. It takes 16 bytes, because there is a slot for every number.
    struct Slot: Sendable {
        var block: UInt32 = 0
        /// The last collection that removed a record with this number. References that were made before that collection
        /// point at nothing.
        var collection: UInt32 = 0
        private var changedLow: UInt32 = 0
        private var changedHigh: UInt16 = 0
        private var rowInBlock: UInt8 = 0
        var state = State.unknown

        init(block: UInt32 = 0, row: UInt16 = 0, state: State = .unknown, changed: Epoch = 0, collection: UInt32 = 0) {
            self.block = block
            self.collection = collection
            self.state = state
            rowInBlock = UInt8(truncatingIfNeeded: row)
            self.changed = changed
        }

        var row: UInt16 { UInt16(rowInBlock) }

        /// The version in which a field, the type or the existence last changed.
        var changed: Epoch {
            get { UInt64(changedHigh) << 32 | UInt64(changedLow) }
            set {
                changedLow = UInt32(truncatingIfNeeded: newValue)
                changedHigh = UInt16(truncatingIfNeeded: newValue >> 32)
            }
        }
    }

    enum State: UInt8, Sendable {
        /// Nothing was ever written to the record.
        case unknown
        case existing
        /// The record is known not to exist; links to it read as null.
        case deleted
    }
}
