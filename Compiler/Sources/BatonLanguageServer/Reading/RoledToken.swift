import BatonSyntax

/// A token of a document with its meaning.
struct RoledToken {
    let token: Token
    let role: Role
    /// The index of the token's definition in `RoleReader.definitions`; -1 before the first definition.
    let definition: Int

    var range: Range<Int> { Int(token.start)..<Int(token.end) }
}
