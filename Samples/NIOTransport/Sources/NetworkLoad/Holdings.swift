import Foundation

/// The memory and the threads of this process; 0 on systems other than Linux.
enum Holdings {
    /// The memory in use, in bytes.
    static var memory: Int { number("VmRSS") << 10 }
    /// The most memory that was in use, in bytes.
    static var peakMemory: Int { number("VmHWM") << 10 }
    static var threads: Int { number("Threads") }

    private static func number(_ name: String) -> Int {
        guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name + ":") })
        else { return 0 }
        return line.split { $0 == " " || $0 == "\t" }.dropFirst().first.flatMap { Int($0) } ?? 0
    }
}
