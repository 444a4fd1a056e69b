import BatonSyntax

/// The Swift type that provides the value of arguments with a provider.
package struct ProviderMapping: Sendable, Hashable {
    /// The Swift type, possibly qualified.
    package var type: String
    /// The module of the type, if it must be imported.
    package var module: String?

    package init(type: String, module: String? = nil) {
        self.type = type
        self.module = module
    }

    /// The type for a provider without an entry in the configuration: the last part of its path up to the first dot,
    /// with a capital letter. Nil if no name is left.
    ///
    /// `../flags/isWide.relayprovider` is `IsWide`.
    package init?(ofProvider provider: String) {
        let last = provider.split(separator: "/").last ?? ""
        let stem = last.split(separator: ".", omittingEmptySubsequences: false).first ?? ""
        let name = stem.unicodeScalars.filter { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "_": true
            default: false
            }
        }
        let text = SwiftName.uppercasingFirst(String(String.UnicodeScalarView(name)))
        guard let first = text.first, !first.isNumber, text.contains(where: { $0 != "_" }) else { return nil }
        self.init(type: text)
    }
}
