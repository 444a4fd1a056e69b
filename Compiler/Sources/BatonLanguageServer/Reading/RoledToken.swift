import BatonSyntax

/// A token with its meaning.
struct RoledToken {
    let token: Token
    let role: Role
    /// The number of its definition in the document.
    let definition: Int

    var range: Range<Int> { Int(token.start)..<Int(token.end) }
}
