/// The namespace of everything that only generated code calls: artifacts, readers, encoders.
///
/// The namespace is public because generated code lives in the user's module. It belongs to the compiler of the same
/// version and gives no promise of source stability.
public enum GeneratedCode {
    /// Ends the program. A read gives a result only if the value is there, so this is never called.
    @usableFromInline
    static func failedRead() -> Never { preconditionFailure("a result lacks a non-null value") }
}
