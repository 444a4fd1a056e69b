import BatonSchema
import BatonSyntax

// The runtime has package types of the same names; in this module those of the syntax tree and the schema are meant.

typealias Value = BatonSyntax.Value
typealias TypeID = BatonSchema.TypeID
