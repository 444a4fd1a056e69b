import Baton
import Foundation

#if canImport(Glibc)
    import Glibc
#endif

extension PeakMemory {
    /// Starts this program again for a store with so many users; gives the bytes of the heap that the store needs, or
    /// nil where the system does not tell.
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

    /// What the process that was started does: fills a store, and prints by how much that has made the heap larger. The
    /// body and what reading it needed are freed by then; the names, the table of operations and the plan are not.
    static func reportHeap(ofUsers users: Int) throws {
        // What the first use of everything allocates once is no part of it.
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

    /// Bytes of memory of this process that are no files, once the allocator has given back what is free.
    private static var heapInUse: Int? {
        typealias Trim = @convention(c) (Int) -> Int32
        // Not among what the module of the C library declares.
        if let trim = dlsym(nil, "malloc_trim") { _ = unsafeBitCast(trim, to: Trim.self)(0) }
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
        for line in status.split(separator: "\n") where line.hasPrefix("RssAnon:") {
            return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
        }
        return nil
    }
}
