/// A file that belongs to a variable (GraphQL multipart request specification).
public struct Upload: Sendable, Hashable {
    /// The bytes of a file, or the path of the file.
    public enum Content: Sendable, Hashable {
        /// The bytes, which stay in memory until they are sent.
        case bytes([UInt8])
        /// The path of a file, which the transport reads while it sends.
        case file(path: String)
    }

    /// The place of the file in the variables, such as `input.photos.0`. The variable itself is null there.
    public let variable: String
    /// The name of the file for the server.
    public let fileName: String
    /// The media type.
    public let contentType: String
    /// The bytes.
    public let content: Content

    /// Keeps the parts.
    public init(
        variable: String, fileName: String, contentType: String = "application/octet-stream", content: Content
    ) {
        self.variable = variable
        self.fileName = fileName
        self.contentType = contentType
        self.content = content
    }
}
