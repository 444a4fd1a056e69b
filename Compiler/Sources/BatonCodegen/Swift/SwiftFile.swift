/// A file of generated Swift as a tree, which `SwiftPrinter` prints.
///
/// Names in the tree are unescaped: the printer escapes keywords.
package struct SwiftFile: Sendable {
    /// The comment lines at the top, without slashes.
    package var comments: [String]
    package var imports: [SwiftImport]
    package var declarations: [SwiftDeclaration]

    package init(comments: [String], imports: [SwiftImport], declarations: [SwiftDeclaration]) {
        self.comments = comments
        self.imports = imports
        self.declarations = declarations
    }
}

/// `public import Module`.
package struct SwiftImport: Sendable, Hashable {
    package var module: String
    /// The access level of the import; nil for none.
    package var access: AccessLevel?
    /// Whether internal declarations of the module are visible too, in builds for debugging.
    package var isTestable = false

    package init(_ module: String, access: AccessLevel? = nil, isTestable: Bool = false) {
        self.isTestable = isTestable
        self.module = module
        self.access = access
    }
}

/// The access level of generated code.
package enum AccessLevel: String, Sendable, Hashable, CaseIterable {
    case `public`
    case package
    case `internal`
}

/// A type in Swift's notation.
package indirect enum SwiftType: Sendable, Hashable {
    /// A name, possibly qualified by dots.
    case named(String)
    case optional(SwiftType)
    case array(SwiftType)
    case generic(String, [SwiftType])
    /// `Type!`.
    case unwrapped(SwiftType)
    /// `(inout Type) -> Void`.
    case change(SwiftType)
}
