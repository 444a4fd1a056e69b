import Baton
import Foundation

#if canImport(Glibc)
    import Glibc
#endif

extension PeakMemory {
    /// Starts this program again to fill a store with users; returns the heap memory of the store in bytes, or nil on
    /// systems without this information.
    static func heapBytes(ofUsers users: Int) throws -> Double? {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["--heap-of-users", "\(users)"]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return Double(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// Runs in the started process: fills a store and prints how much the heap has grown. The body and temporary data
    /// are freed before; the names, the table of operations and the plan are not.
    static func reportHeap(ofUsers users: Int) throws {
        // Memory that the first use of the runtime allocates once does not count.
        try withExtendedLifetime(fill(users: 10)) {
            let before = heapInUse
            let store = try fill(users: users)
            let after = heapInUse
            if let before, let after { print(after - before) }
            withExtendedLifetime(store) {}
        }
    }

    private static func fill(users: Int) throws -> (Store, BoundOperation) {
        let store = Store()
        let operation = store.bind(UsersQuery())
        store.retain(operation)
        let body = UserPayload.body(users: users)
        let response = try store.normalize(body, for: operation)
        _ = store.publish(response, for: operation)
        return (store, operation)
    }

    /// The anonymous memory of this process in bytes, after the allocator has returned free memory.
    private static var heapInUse: Int? {
        typealias Trim = @convention(c) (Int) -> Int32
        // The module of the C library does not declare the function.
        if let trim = dlsym(nil, "malloc_trim") { _ = unsafeBitCast(trim, to: Trim.self)(0) }
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
        for line in status.split(separator: "\n") where line.hasPrefix("RssAnon:") {
            return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
        }
        return nil
    }
}
