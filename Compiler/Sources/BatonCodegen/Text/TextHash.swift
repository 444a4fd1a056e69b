import BatonText

/// A hash function for the ids of texts.
package enum TextHash: String, CaseIterable, Sendable {
    /// The hash function that Relay uses.
    case md5 = "MD5"
    /// The hash function that Apollo uses.
    case sha256 = "SHA256"

    /// The hash of a text's UTF-8, in lower-case hexadecimal digits.
    package func id(of text: String) -> String {
        let bytes = Array(text.utf8)
        return (self == .md5 ? MD5.digest(of: bytes) : SHA256.digest(of: bytes)).hexadecimal
    }
}
