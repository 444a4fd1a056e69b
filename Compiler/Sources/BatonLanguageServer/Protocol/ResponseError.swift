/// Why a request has no result.
package struct ResponseError: Error, Hashable, Sendable {
    package let code: Int
    package let message: String

    package static func parse(_ message: String) -> Self { Self(code: -32700, message: message) }
    package static func invalidRequest(_ message: String) -> Self { Self(code: -32600, message: message) }
    package static func unknownMethod(_ name: String) -> Self {
        Self(code: -32601, message: "there is no method '\(name)'")
    }
    package static func invalidParameters(_ message: String) -> Self { Self(code: -32602, message: message) }
    package static let notInitialized = Self(code: -32002, message: "the server is not initialized")
    /// The state in which the request was asked is gone before it could be answered.
    package static func contentModified(_ message: String) -> Self { Self(code: -32801, message: message) }
    package static let cancelled = Self(code: -32800, message: "the request was cancelled")
    /// The request is well formed, and cannot be carried out.
    package static func failed(_ message: String) -> Self { Self(code: -32803, message: message) }
}
