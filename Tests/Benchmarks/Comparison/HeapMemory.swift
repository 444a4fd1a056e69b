import Baton
import Foundation

#if canImport(Glibc)
    import Glibc
#endif

extension PeakMemory {
    /// Starts this program again to fill a store with users; returns the heap memory of the store in bytes, or nil on
    /// systems without this information.
    static func heapBytes(ofUsers users: Int) throws -> Double? { try heapBytes("--heap-of-users", "\(users)") }

    /// Starts this program again twice, to hold old results and to let them go; returns the difference in bytes.
    static func heapBytes(of held: HeldResults) throws -> Double? {
        let (with, without) = (
            try heapBytes("--heap-of-held", held.rawValue), try heapBytes("--heap-of-held", "no-" + held.rawValue)
        )
        guard let with, let without else { return nil }
        return with - without
    }

    /// Starts this program again to make handles and to let them go; returns the growth of the heap in bytes.
    static func heapBytes(ofHandles count: Int) throws -> Double? { try heapBytes("--heap-of-handles", "\(count)") }

    /// Starts this program again to make environments over a base; returns the growth of the heap in bytes.
    static func heapBytes(ofEnvironments count: Int) throws -> Double? {
        try heapBytes("--heap-of-environments", "\(count)")
    }

    private static func heapBytes(_ arguments: String...) throws -> Double? {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = arguments
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

    /// Runs in the started process: fills a store, renames users and reads a result after each change. Prints the heap
    /// memory at the end. `kind` is the kind of the held results, with the prefix `no-` if they are not held.
    static func reportHeap(ofHeld kind: String) throws {
        let isHeld = !kind.hasPrefix("no-")
        guard let held = HeldResults(rawValue: isHeld ? kind : String(kind.dropFirst(3))) else { return }
        let (store, operation) = try fill(users: 10_000)
        var results: [any Sendable] = []
        results.reserveCapacity(HeldResults.count)
        try held.read(in: store, operation) { if isHeld { results.append($0) } }
        if let heapInUse { print(heapInUse) }
        withExtendedLifetime((store, results)) {}
    }

    /// Runs in the started process: makes handles, reads them and releases them, 10,000 at a time. Prints the growth of
    /// the heap since the first ones were released.
    static func reportHeap(ofHandles count: Int) async throws {
        let batch = 10_000
        let rows = try await HandleRows(count: batch)
        for _ in 0..<3 { keep(rows.live()) }
        let before = heapInUse
        for _ in 0..<(count / batch) { keep(rows.live()) }
        if let before, let after = heapInUse { print(after - before) }
    }

    /// Runs in the started process: makes environments over one base and writes to each. Prints the growth of the heap
    /// while all of them live.
    static func reportHeap(ofEnvironments count: Int) async throws {
        let requests = try await Requests(users: 10_000)
        for number in 0..<3 { keep(try requests.write(number)) }
        let before = heapInUse
        let environments = try (0..<count).map { try requests.write($0) }
        let after = heapInUse
        if let before, let after { print(after - before) }
        withExtendedLifetime(environments) {}
    }

    private static func fill(users: Int) throws -> (Store, BoundOperation) {
        let store = Store()
        let operation = store.bind(UsersQuery())
        store.operations.retain(operation)
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
