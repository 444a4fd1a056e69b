import BatonCompiler

/// The address of a document as a client writes it.
package struct DocumentURI: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package init(_ path: AbsolutePath) {
        var text = "file://"
        for byte in path.description.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "/"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                text += "%" + (digits.count < 2 ? "0" : "") + digits
            }
        }
        self.text = text
    }

    /// The path of the document's file; nil if it has no file, such as a document that was never saved.
    package var path: AbsolutePath? {
        guard text.lowercased().hasPrefix("file://") else { return nil }
        let rest = text.utf8.dropFirst("file://".utf8.count)
        guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        let host = String(rest[..<slash])
        guard host == nil || host == "" || host == "localhost" else { return nil }
        var bytes: [UInt8] = []
        var index = slash
        while index < rest.endIndex {
            let byte = rest[index]
            if byte == UInt8(ascii: "%") {
                let digits = rest[rest.index(after: index)...].prefix(2)
                guard digits.count == 2, let value = UInt8(String(Substring(digits)), radix: 16) else { return nil }
                bytes.append(value)
                index = rest.index(index, offsetBy: 3)
            } else {
                bytes.append(byte)
                index = rest.index(after: index)
            }
        }
        guard let path = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else { return nil }
        return AbsolutePath(absolute: path)
    }
}
