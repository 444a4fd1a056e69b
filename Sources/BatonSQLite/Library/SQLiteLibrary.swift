import BatonSQLiteLibrary

/// The functions of one SQLite.
///
/// The system's library is looked for as `libsqlite3.so.0`, and is linked on Apple's systems. Another one can be named,
/// such as `libsqlcipher.so.0`, by a path or as `dlopen` finds it. A library that was opened stays open.
package struct SQLiteLibrary {
    let functions: UnsafePointer<BatonSQLiteLibrary>

    /// Opens the library at the first call with its name. Any thread may call this.
    ///
    /// - Throws: An error of the kind `unavailable`, which says what is wrong with the library.
    package static func load(named name: String? = nil) throws(SQLiteError) -> SQLiteLibrary {
        // The rest of a name after a zero would be ignored.
        if let name, name.isEmpty || name.utf8.contains(0) {
            throw .unavailable("'\(name.filter { $0 != "\0" })' is no name of a library")
        }
        var functions: UnsafePointer<BatonSQLiteLibrary>?
        var version: Int32 = 0
        let status = baton_sqlite_load(name, &functions, &version)
        guard let functions else {
            throw unavailable(Int(status), name ?? String(cString: baton_sqlite_name()), version: version)
        }
        return SQLiteLibrary(functions: functions)
    }

    /// Whether the system's library can be used.
    package static var isAvailable: Bool { (try? load()) != nil }

    /// The error for a library that could not be loaded.
    static func unavailable(_ status: Int, _ name: String, version: Int32) -> SQLiteError {
        let library = "'\(name)'" + (version > 0 ? " (\(text(version)))" : "")
        return switch status {
        case BATON_SQLITE_MISSING:
            .unavailable("there is no '\(name)' on this system: install SQLite, or give the name of its library")
        case BATON_SQLITE_STATIC: .unavailable("a fully static program cannot open '\(name)'")
        case BATON_SQLITE_INCOMPLETE:
            .unavailable("\(library) lacks functions of SQLite \(text(Int32(BATON_SQLITE_OLDEST)))")
        case BATON_SQLITE_TOO_OLD:
            .unavailable("\(library) is too old: \(text(Int32(BATON_SQLITE_OLDEST))) or newer is needed")
        case BATON_SQLITE_SINGLE_THREADED: .unavailable("\(library) is built for programs of one thread")
        default: .unavailable("\(library) could not be initialized")
        }
    }

    /// A version as its number says it.
    private static func text(_ version: Int32) -> String {
        "\(version / 1_000_000).\(version / 1_000 % 1_000).\(version % 1_000)"
    }

    var version: String { String(cString: functions.pointee.libversion()) }

    /// Whether the library encrypts files that have a key.
    var hasKeys: Bool { functions.pointee.key != nil }

    /// What the library says about a code when there is no connection that says more.
    func text(_ code: Int32) -> String {
        functions.pointee.errstr(code).map { String(cString: $0) } ?? "unknown error"
    }
}
