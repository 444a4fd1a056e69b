/// The streams of a command that talks with another program.
package struct ServerStreams: Sendable {
    /// Returns the next bytes; nil at the end of the stream.
    package let read: @Sendable () -> [UInt8]?
    package let write: @Sendable ([UInt8]) -> Void

    package init(read: @escaping @Sendable () -> [UInt8]?, write: @escaping @Sendable ([UInt8]) -> Void) {
        self.read = read
        self.write = write
    }
}
