import Foundation

/// The browser of the person who sits at the terminal.
public enum Browser {
    /// The reason why a page could not be opened.
    public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// The address is not one of a web page, so no program is given it.
        case notAWebPage(String)
        /// The program is not there or has ended with this status.
        case failed(command: String, status: Int32?)

        /// A description for a person.
        public var description: String {
            switch self {
            case .notAWebPage(let url): "'\(url)' is not the address of a web page"
            case .failed(let command, nil): "'\(command)' cannot be started"
            case .failed(let command, let status?): "'\(command)' has ended with status \(status)"
            }
        }
    }

    /// Opens a page in the browser that `BROWSER` names, or that the system has.
    ///
    /// Returns when the program has ended, which may be at once, or when the person closes the browser. What it writes
    /// is thrown away, because the screen is not its own. Only addresses that begin with `http://` or `https://` are
    /// passed to it: others may come from a server that wants to start something else.
    public static func open(
        _ url: String, environment: [String: String] = ProcessInfo.processInfo.environment
    ) async throws(Failure) {
        guard url.hasPrefix("https://") || url.hasPrefix("http://") else { throw .notAWebPage(url) }
        #if os(macOS)
            let standard = "open"
        #else
            let standard = "xdg-open"
        #endif
        let command = environment["BROWSER"].flatMap { $0.isEmpty ? nil : $0 } ?? standard
        let status = await run(command, url)
        if status != 0 { throw .failed(command: command, status: status) }
    }

    /// The status with which the program has ended; nil if it is not there.
    private static func run(_ command: String, _ url: String) async -> Int32? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [command, url]
        (process.standardInput, process.standardOutput) = (FileHandle.nullDevice, FileHandle.nullDevice)
        process.standardError = FileHandle.nullDevice
        let status: Int32? = await withCheckedContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch {
                process.terminationHandler = nil
                continuation.resume(returning: nil)
            }
        }
        // By this status `env` says that it has found no such program.
        return status == 127 ? nil : status
    }
}
