#if os(Linux)
    import Foundation
    import Testing

    /// What the compiler of Swift says where a variable or a directive is missing: a sentence, and not what its types
    /// require. The check `masking` reads all files of the folder, and this one those of such sentences.
    struct MissingPartTests {
        /// The folder of the modules of this build.
        private static let modules = Bundle.main.bundleURL.appending(path: "Modules").path

        @Test(
            .enabled(if: FileManager.default.fileExists(atPath: modules), "the modules of the build are elsewhere"),
            arguments: ["missing-variable", "missing-subscription-variable", "missing-directive"])
        func theSentenceSaysWhatIsMissing(_ name: String) throws {
            let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            let process = Process()
            let pipe = Pipe()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = [
                "bash", folder.appending(path: "Integration/masked-fields.sh").path, "--modules", Self.modules, name,
            ]
            process.standardOutput = pipe
            process.standardError = pipe
            try process.run()
            let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            #expect(process.terminationStatus == 0, "\(output)")
            #expect(output.contains("is unavailable: "))
        }
    }
#endif
