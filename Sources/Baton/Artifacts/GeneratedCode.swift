/// What generated Swift calls and nobody else should: artifacts, readers, encoders.
///
/// It is public because generated code lives in the user's module. It follows the compiler of the same version and
/// carries no promise of source stability.
public enum GeneratedCode {}
