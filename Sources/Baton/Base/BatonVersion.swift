/// The version of Baton, and the form of the Swift that its compiler writes.
///
/// The runtime and the compiler know nothing of each other; both are built with this file, the compiler through a link.
package enum BatonVersion {
    package static let text = "0.1.0"

    /// The number of the form of generated code. A release changes it only where the Swift that an earlier compiler
    /// wrote means something else, or does not compile.
    package static let format = 1
}
