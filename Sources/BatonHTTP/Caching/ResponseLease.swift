/// The answer to a process that wants to ask the server on behalf of all processes.
public enum ResponseLease: Sendable, Hashable {
    /// The process may ask, and ends its right with the token.
    case granted(token: UInt64)
    /// Another process is asking; its response is worth waiting for.
    case held
    /// The last response served only the process that received it, so that each process asks for itself.
    case unneeded
}
