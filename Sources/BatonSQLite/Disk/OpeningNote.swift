import Baton
import BatonSQLiteLibrary

/// The note of an opening beside the file, which tells the next opening whether the program has lived on with what is
/// stored.
///
/// It is one byte: 0 while nothing was written into the file, and otherwise one more than the number of openings in a
/// row after which a program died. An opening adds itself, and takes that back when the program has survived. Whoever
/// has the file open holds the note; an opening beside another one is not counted, and nothing is known of deaths then.
///
/// State: guarded by its lock, a leaf. It is made under the lock of the file.
final class OpeningNote: Sendable {
    /// So many deaths in a row are the fault of what is stored.
    static let mostDeaths = 2

    private static let nothingStored: UInt8 = 0
    private static let survived: UInt8 = 1

    private struct State {
        var byte: UInt8
        /// True from the counting of this opening until the program has survived.
        var isOnTrial = false
        /// True after the hold of the note was given back.
        var isClosed = false
    }

    private let descriptor: Int32
    private let isAlone: Bool
    private let state: Guarded<State>

    /// Takes a hold of the note; null if there can be none, and then nothing is counted.
    init?(of path: String) {
        var isAlone: Int32 = 0
        descriptor = baton_sqlite_hold_note(path + "-opened", &isAlone)
        guard descriptor >= 0 else { return nil }
        self.isAlone = isAlone != 0
        state = Guarded(State(byte: baton_sqlite_read_note(descriptor)))
    }

    deinit { close() }

    /// Gives the hold back, also while another thread has the note. Nothing is noted afterwards.
    func close() {
        state.withLock { state in
            if !state.isClosed { baton_sqlite_close_note(descriptor) }
            state.isClosed = true
        }
    }

    /// True if the file has to go, because programs die of it.
    var isDeadly: Bool { isAlone && state.withLock { Int($0.byte) > Self.mostDeaths } }

    /// Notes that a new file has begun. It is no reason to die of.
    func begin() { set { $0 = State(byte: Self.nothingStored) } }

    /// Counts this opening as one after which the program has died. An end by itself takes that back.
    func count() {
        set { state in
            guard isAlone, state.byte != Self.nothingStored, state.byte < .max else { return }
            state = State(byte: state.byte + 1, isOnTrial: true)
        }
    }

    /// Takes the counting back after an opening that has failed.
    func takeBack() {
        set { state in if state.isOnTrial { state = State(byte: state.byte - 1) } }
    }

    /// Notes that the program has survived.
    func survive() {
        set { state in if state.isOnTrial { state = State(byte: Self.survived) } }
    }

    /// Notes that the program has survived, and that something is stored from now on.
    func noteWritten() {
        set { state in
            if state.isOnTrial || state.byte == Self.nothingStored { state = State(byte: Self.survived) }
        }
    }

    private func set(_ change: (inout State) -> Void) {
        state.withLock { state in
            if state.isClosed { return }
            let before = state.byte
            change(&state)
            guard state.byte != before else { return }
            baton_sqlite_write_note(descriptor, state.byte, state.isOnTrial ? Int32(Self.survived) : -1)
        }
    }
}
