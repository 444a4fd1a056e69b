import BatonCodegen
import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// The contents of `baton.json`, with defaults filled in.
package struct Configuration: Hashable, Sendable {
    /// A path, a pattern or a name, and its place in the configuration.
    package struct Entry: Hashable, Sendable {
        package var text: String
        package var span: Span

        package init(_ text: String, span: Span = .none) {
            self.text = text
            self.span = span
        }
    }

    /// The Swift form of a custom scalar.
    package struct Scalar: Hashable, Sendable {
        /// The Swift type of the generated properties.
        package var type: String
        /// The module of the type, if it must be imported.
        package var module: String?
        /// The type that conforms to `ScalarConversion`, unless `type` itself conforms.
        package var conversion: String?
        /// The module of the conversion, if it must be imported.
        package var conversionModule: String?
        /// The place of the scalar's name in the configuration.
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

    /// The Swift type that provides the value of arguments with a provider.
    package struct Provider: Hashable, Sendable {
        package var type: String
        /// The module of the type, if it must be imported.
        package var module: String?
        /// The place of the provider's name in the configuration.
        package var span: Span

        package init(type: String, module: String? = nil, span: Span = .none) {
            self.type = type
            self.module = module
            self.span = span
        }
    }

    /// The Swift names of a type of the schema.
    package struct CustomType: Hashable, Sendable {
        package var customization = TypeCustomization()
        /// The kind of the type in the configuration; nil if the configuration states none.
        package var kind: SchemaType.Kind?
        /// The place of the type's name in the configuration.
        package var span: Span
        /// The places of the names of cases and fields.
        package var memberSpans: [String: Span] = [:]
    }

    /// The ids of texts, with the settings of Relay's configuration.
    package struct Persistence: Hashable, Sendable {
        package var algorithm = TextHash.md5
        /// The file that maps ids to texts; nil for no file.
        package var file: Entry?
        /// Whether requests have the text in addition to the id.
        package var includeQueryText = false
    }

    /// The longest time for which data counts as fresh.
    package struct AgeLimit: Hashable, Sendable {
        package var seconds: Int
        /// The place of the name in the configuration.
        package var span: Span

        package init(seconds: Int, span: Span = .none) {
            self.seconds = seconds
            self.span = span
        }
    }

    /// The folder of the configuration, at which relative paths start.
    package var directory: AbsolutePath
    package var schema: [Entry] = [Entry("schema.graphql")]
    package var schemaExtensions: [Entry] = []
    package var documents: [Entry] = [Entry("**/*.graphql"), Entry("**/*.swift")]
    package var exclude: [Entry] = []
    package var output = Entry("__generated__")
    package var module: String?
    package var access = AccessLevel.internal
    package var documentation = DocumentationScope.summaries
    /// The schema's names for connections and the node interface.
    package var schemaConfig = SchemaNames()
    /// The layout of the texts of requests.
    package var text = OperationTextPrinter.Layout.lines
    /// The settings for the ids of texts; nil if texts have no ids.
    package var persistConfig: Persistence?
    /// The scalars, by their name in the schema.
    package var scalars: [String: Scalar] = [:]
    /// The Swift names of types, by their names in the schema.
    package var customTypes: [String: CustomType] = [:]
    /// The providers, by the name in documents.
    package var providers: [String: Provider] = [:]
    /// The age limits, by the name of a query or type, or of a field as `Type.field`.
    package var maxAge: [String: AgeLimit] = [:]
    /// What no file on disk is to have: names of types and operations, and of fields as `Type.field`, each once.
    package var unstored: [Entry] = []
    /// Whether results are hashable.
    package var hashable = false
    /// Whether there are builders of results.
    package var builders = false
    package var buildersOutput = Entry("__builders__")
    package var warnings = WarningLevels()
    package var limits = ParserLimits()

    package init(directory: AbsolutePath) {
        self.directory = directory
    }

    /// The folder for artifacts that is used in place of `output`.
    package var artifactFolder: AbsolutePath?

    /// The folder for artifacts.
    package var outputDirectory: AbsolutePath { artifactFolder ?? ownOutputDirectory }

    /// The folder that `output` names.
    package var ownOutputDirectory: AbsolutePath { AbsolutePath(output.text, relativeTo: directory) }

    /// The folder for builders; nil if there are none.
    package var buildersDirectory: AbsolutePath? {
        builders ? AbsolutePath(buildersOutput.text, relativeTo: directory) : nil
    }

    /// The file that maps the ids of texts to the texts; nil for no file.
    package var persistedFile: AbsolutePath? {
        persistConfig?.file.map { file in
            let path = AbsolutePath(file.text, relativeTo: directory)
            return artifactFolder.map { $0.parent.appending(path.name) } ?? path
        }
    }

    /// The file name of a configuration.
    package static let fileName = "baton.json"

    /// Reads a configuration file and reports all mistakes at their places: unknown keys, values of a wrong type,
    /// impossible values.
    package static func read(
        _ file: SourceFile,
        directory: AbsolutePath
    ) -> (configuration: Configuration, diagnostics: [Diagnostic]) {
        let (node, diagnostics) = JSONParser.parse(
            file,
            syntaxID: .configurationSyntax,
            keyID: .configurationKey,
            allowsComments: true
        )
        var reader = ConfigurationReader(directory: directory, diagnostics: diagnostics)
        if let node { reader.read(node) }
        return (reader.configuration, reader.diagnostics.sortedByPosition())
    }
}
