import BatonCodegen
import BatonDiagnostics
import BatonSyntax

/// What `baton.json` says, with defaults filled in.
package struct Configuration: Hashable, Sendable {
    /// A path or pattern and where it was written.
    package struct Entry: Hashable, Sendable {
        package var text: String
        package var span: Span

        package init(_ text: String, span: Span = .none) {
            self.text = text
            self.span = span
        }
    }

    /// How a custom scalar is written in Swift.
    package struct Scalar: Hashable, Sendable {
        /// The Swift type of properties.
        package var type: String
        /// The module to import for it, if any.
        package var module: String?
        /// The type that conforms to `ScalarConversion`, if it is not `type` itself.
        package var conversion: String?
        /// The module to import for the conversion, if it is another one.
        package var conversionModule: String?
        /// The name of the scalar in the configuration.
        package var span: Span

        package init(
            type: String, module: String? = nil, conversion: String? = nil, conversionModule: String? = nil,
            span: Span = .none
        ) {
            self.type = type
            self.module = module
            self.conversion = conversion
            self.conversionModule = conversionModule
            self.span = span
        }
    }

    /// How old data may become.
    package struct AgeLimit: Hashable, Sendable {
        package var seconds: Int
        /// The name in the configuration.
        package var span: Span

        package init(seconds: Int, span: Span = .none) {
            self.seconds = seconds
            self.span = span
        }
    }

    /// The folder that paths count from: the one of the configuration.
    package var directory: AbsolutePath
    package var schema: [Entry] = [Entry("schema.graphql")]
    package var schemaExtensions: [Entry] = []
    package var documents: [Entry] = [Entry("**/*.graphql"), Entry("**/*.swift")]
    package var exclude: [Entry] = []
    package var output = Entry("__generated__")
    package var module: String?
    package var access = AccessLevel.internal
    /// By the name of the scalar in the schema.
    package var scalars: [String: Scalar] = [:]
    /// By the name of a query or type, or of a field as `Type.field`.
    package var maxAge: [String: AgeLimit] = [:]
    package var warnings = WarningLevels()
    package var limits = ParserLimits()

    package init(directory: AbsolutePath) {
        self.directory = directory
    }

    /// The folder of the artifacts.
    package var outputDirectory: AbsolutePath { AbsolutePath(output.text, relativeTo: directory) }

    /// The name of a configuration in its folder.
    package static let fileName = "baton.json"

    /// The configuration of a folder, or that of the nearest folder above it that has one.
    package static func nearest(to folder: AbsolutePath) -> AbsolutePath? {
        var folder = folder
        while true {
            let path = folder.appending(fileName)
            if FileKind(at: path) != nil { return path }
            if folder == folder.parent { return nil }
            folder = folder.parent
        }
    }

    /// Reads a configuration file: an unknown key, a value of a wrong type and a value that is not possible are each an
    /// error at their place, and all are reported.
    package static func read(
        _ file: SourceFile,
        directory: AbsolutePath
    ) -> (configuration: Configuration, diagnostics: [Diagnostic]) {
        let (node, diagnostics) = JSONParser.parse(
            file,
            syntaxID: .configurationSyntax,
            keyID: .configurationKey
        )
        var reader = ConfigurationReader(directory: directory, diagnostics: diagnostics)
        if let node { reader.read(node) }
        return (reader.configuration, reader.diagnostics.sortedByPosition())
    }
}
