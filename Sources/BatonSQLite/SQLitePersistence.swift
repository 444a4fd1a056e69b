public import Baton
public import Foundation

/// Keeps the records of an environment in a file of SQLite.
///
///     let file = SQLitePersistence(at: folder.appendingPathComponent("store.sqlite"), account: user.id)
///     let environment = RelayEnvironment(network: network, persistence: file)
///
/// The file is opened when the environment is made, which costs the same for any number of records. What a screen needs
/// is read when it is asked for. What was published is written soon afterwards on a thread of the file's own;
/// `RelayEnvironment.flush()` waits for that. Only the owner of the process may read the file, its log
/// (`-wal`), its index (`-shm`), and what is beside it: the lock (`-lock`) and a note of the openings (`-opened`).
///
/// A file that is damaged, is one of another program, or was open when the program died twice in a row, is named
/// `.damaged-1` and so on, and a new one begins. A file that a newer version of Baton has written is left alone, and
/// the environment works in memory.
public struct SQLitePersistence: RelayEnvironment.Persistence {
    private var options: SQLiteDiskOptions

    /// Whether the system has a SQLite that can be used. Without one every environment works in memory.
    public static var isAvailable: Bool { SQLiteLibrary.isAvailable }

    /// Names a file. It need not be there; its folder must be.
    ///
    /// - Parameters:
    ///   - url: The URL of the file.
    ///   - account: Whose data it is. A file that has another account is emptied at its opening, before anything of it
    ///     is read.
    ///   - generation: A text of the app's own. A file that has another one is emptied at its opening.
    ///   - sizeLimit: The number of bytes above which the file loses what was not used for the longest time. What is in
    ///     memory stays. The file does not get smaller by it, but the space is used again.
    ///   - ageLimit: The time after which the file loses what was neither written nor read, unless it is in memory.
    ///   - unstored: What the file never gets. A file that was written with another list is emptied at its opening.
    ///   - library: The name or path of another SQLite than the system's, such as `libsqlcipher.so.0`.
    ///   - key: The key with which such a library encrypts the file.
    public init(
        at url: URL, account: String = "", generation: String = "", sizeLimit: Int? = nil, ageLimit: Duration? = nil,
        unstored: RelayEnvironment.UnstoredData = RelayEnvironment.UnstoredData(), library: String? = nil,
        key: [UInt8]? = nil
    ) {
        options = SQLiteDiskOptions(path: url.path)
        options.account = account
        options.generation = generation
        options.limits = SQLiteLimits(
            size: sizeLimit.map { Int64(max(0, $0)) },
            age: ageLimit.map { Int64(BoundedTime.of($0).milliseconds / 1000) })
        options.unstored = unstored
        options.library = library
        options.key = key
    }

    /// Returns the file for one environment.
    public func makeFile() -> RelayEnvironment.File { RelayEnvironment.File(SQLiteDisk(options)) }
}
