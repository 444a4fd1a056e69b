/// Why the file of an environment could not be opened, read or written.
///
/// Nothing is lost by such an error but what it names: the records in memory are as they were, and the environment goes
/// on with them.
public struct PersistenceError: Error, Hashable, Sendable {
    /// What a program does something about. A version of Baton may add a kind, so a `switch` has a `default`.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        private let name: String

        private init(_ name: String) { self.name = name }

        /// The library that reads and writes the file is missing, or not one that can be used.
        public static let unavailable = Kind("unavailable")
        /// Another process or environment uses the file for longer than a call waits. The same call may succeed later.
        public static let busy = Kind("busy")
        /// The file or its folder can only be read.
        public static let readOnly = Kind("readOnly")
        /// The disk is full, or the file has reached the size that it may have.
        public static let full = Kind("full")
        /// The file, or a part of it, is not as it was written.
        public static let damaged = Kind("damaged")
        /// The file is not one of Baton, is encrypted with another key, or was given by another process to another
        /// account or generation.
        public static let foreign = Kind("foreign")
        /// A newer version of Baton has written the file, which stays as it is.
        public static let newerFormat = Kind("newerFormat")
        /// The program has died twice in a row soon after it had opened the file, and before it wrote anything.
        public static let crashLoop = Kind("crashLoop")
        /// The system could not open, read, write, lock or sync the file.
        public static let inputOutput = Kind("inputOutput")
        /// The file is suspended. The same call may succeed after ``RelayEnvironment/resume()``.
        public static let suspended = Kind("suspended")
        /// Something else.
        public static let other = Kind("other")

        /// The name of the constant.
        public var description: String { name }
    }

    /// The kind of the error.
    public let kind: Kind
    /// What happened, in one sentence without a value of a field in it.
    public let message: String

    /// Makes an error.
    package init(_ message: String, _ kind: Kind = .other) {
        self.kind = kind
        self.message = message
    }
}

extension PersistenceError {
    package static let suspended = PersistenceError("the file is suspended", .suspended)
}

extension PersistenceError: CustomStringConvertible {
    /// The message with the kind.
    public var description: String { "\(message) (\(kind))" }
}
