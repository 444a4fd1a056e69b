/// What `--help` prints.
enum Help {
    static let version = "0.1.0"

    static let overview = """
        baton compiles GraphQL documents to typed Swift.

        usage: baton <command> [options]

        commands:
          init        write a baton.json to start with
          compile     write Swift for all operations and fragments
          validate    check a schema and documents, write nothing
          print       print the schema, or the text that is sent for operations

        'baton <command> --help' says more about a command; 'baton --version' prints the version.

        exit status: 0 fine, 1 the schema or the documents have errors, 2 the command line or the configuration is wrong

        """

    static let compile = """
        usage: baton compile [--config FILE] [--check] [--format text|json]

        Reads the configuration, the schema and the documents, and writes one Swift file for each operation, fragment, enum and
        input object into the output folder. Prints what changed. If anything is wrong, everything that is wrong is reported and
        nothing is written.

          --config FILE   the configuration; default baton.json
          --check         write nothing; exit 1 if a file is not what would be written
          --format json   diagnostics as JSON on standard output, in place of text on standard error

        keys of baton.json (paths are relative to its folder):
          schema            files, folders or globs of the schema; default ["schema.graphql"]
          schemaExtensions  files with types and fields that only the client knows; default []
          documents         globs of .graphql files, and of .swift files with graphql("...") literals;
                            default ["**/*.graphql", "**/*.swift"]
          exclude           globs of files that are no documents; default []
          output            the folder for generated files; default "__generated__"
          module            the module that the generated files belong to; default none
          access            "public", "package" or "internal"; default "internal"
          scalars           for each custom scalar {"type": "Swift type", "module": "module to import",
                            "conversion": "type that converts, if it is another one"}; default {}

        """

    static let validate = """
        usage: baton validate [--config FILE] [--format text|json]
               baton validate --schema S... [--schema-extension E...] [--documents D...] [--format text|json]

        Reports everything that is wrong with a schema and documents. Writes no files.

          --config FILE         take schema and documents from this configuration; default baton.json
          --schema S...         files, folders or globs of the schema
          --schema-extension E...  files with types and fields that only the client knows
          --documents D...      files, folders or globs of documents
          --format json         diagnostics as JSON on standard output, in place of text on standard error

        """

    static let print = """
        usage: baton print schema [--config FILE | --schema S... [--schema-extension E...]]
               baton print operations [NAME...] [--config FILE | --schema S... --documents D...] [--format text|json]

        Prints the whole schema, or for all operations or those named the text that is sent to the server.

          --config FILE         take schema and documents from this configuration; default baton.json
          --schema S...         files, folders or globs of the schema
          --schema-extension E...  files with types and fields that only the client knows
          --documents D...      files, folders or globs of documents
          --format json         operations as a JSON array of objects with name, kind and text

        """

    static let initialize = """
        usage: baton init [--config FILE]

        Writes a configuration to start with. A file that is there already stays as it is.

          --config FILE   the file to write; default baton.json

        """
}
