import Baton
import Synchronization

// Providers of arguments, whose values a test sets.

enum PageSize: VariableProvider {
    static let value = Mutex(3)
    static func get() -> Int { value.withLock { $0 } }
}

enum Length {
    enum IsLong: VariableProvider {
        static let value = Mutex(true)
        static func get() -> Bool { value.withLock { $0 } }
    }
}

enum BookTitle: VariableProvider {
    static let value = Mutex<String?>("t")
    static func get() -> String? { value.withLock { $0 } }
}
