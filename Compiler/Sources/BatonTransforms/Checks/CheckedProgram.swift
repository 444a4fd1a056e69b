import BatonIR
import BatonSchema

/// A form of the documents, with the keys of the types of its schema.
struct CheckedProgram {
    let program: Program
    let keys: KeyFields
}
