import BatonSQLiteLibrary

/// Why a call of SQLite failed, or why its library cannot be used.
///
/// The message is SQLite's. It may name tables and columns, and has no value of a field in it.
package struct SQLiteError: Error, Hashable, Sendable {
    /// What a caller does something about.
    package enum Kind: Hashable, Sendable {
        /// The library is missing, or not one that can be used.
        case unavailable
        /// Another connection holds a lock for longer than this one waits.
        case busy
        /// The file, its folder or this connection can only be read.
        case readOnly
        /// The disk is full, or the file has reached the size that it may have.
        case full
        /// The file is damaged.
        case corrupt
        /// The file is not one of SQLite, or is encrypted with another key.
        case notADatabase
        /// The file cannot be opened.
        case cannotOpen
        /// The system could not read, write, lock or sync.
        case inputOutput
        case outOfMemory
        /// The call was interrupted.
        case interrupted
        /// A row violates what its table demands.
        case constraint
        /// A text or blob is longer than SQLite allows.
        case tooLarge
        /// The call is wrong here: a closed connection, or an index that does not exist.
        case misuse
        /// Something else, such as an error in SQL.
        case failed
    }

    package let kind: Kind
    /// The code of the result; 0 if the library cannot be used.
    let code: Int32
    /// The same with the details that SQLite adds in the upper bits, such as `SQLITE_IOERR_WRITE`.
    let extendedCode: Int32
    package let message: String

    init(_ extendedCode: Int32, _ message: String) {
        code = extendedCode & 0xFF
        kind = Self.kind(code)
        self.extendedCode = extendedCode
        self.message = message
    }

    private init(unavailable message: String) {
        (kind, code, extendedCode) = (.unavailable, 0, 0)
        self.message = message
    }

    static func unavailable(_ message: String) -> SQLiteError { SQLiteError(unavailable: message) }

    static func misuse(_ message: String) -> SQLiteError { SQLiteError(Int32(BATON_SQLITE_MISUSE), message) }

    private static func kind(_ code: Int32) -> Kind {
        switch Int(code) {
        case BATON_SQLITE_BUSY, BATON_SQLITE_LOCKED, BATON_SQLITE_PROTOCOL: .busy
        case BATON_SQLITE_READONLY: .readOnly
        case BATON_SQLITE_FULL: .full
        case BATON_SQLITE_CORRUPT: .corrupt
        case BATON_SQLITE_NOTADB: .notADatabase
        case BATON_SQLITE_CANTOPEN, BATON_SQLITE_PERM: .cannotOpen
        case BATON_SQLITE_IOERR: .inputOutput
        case BATON_SQLITE_NOMEM: .outOfMemory
        case BATON_SQLITE_INTERRUPT: .interrupted
        case BATON_SQLITE_CONSTRAINT: .constraint
        case BATON_SQLITE_TOOBIG: .tooLarge
        case BATON_SQLITE_MISUSE, BATON_SQLITE_RANGE: .misuse
        default: .failed
        }
    }
}

extension SQLiteError: CustomStringConvertible {
    package var description: String {
        kind == .unavailable ? message : "\(message) (SQLite's code \(extendedCode))"
    }
}
