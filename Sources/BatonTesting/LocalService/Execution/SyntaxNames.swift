import BatonSchema
import BatonSyntax

// The runtime has package types of the same names. In this module the names mean the types of the syntax tree and
// schema.

typealias Value = BatonSyntax.Value
typealias TypeID = BatonSchema.TypeID
