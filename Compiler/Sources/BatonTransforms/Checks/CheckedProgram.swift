import BatonIR
import BatonSchema

/// A form of the documents, with the key fields of the schema's types.
struct CheckedProgram {
    let program: Program
    let keys: KeyFields
}
