import BatonCompiler
import Foundation
import Testing

struct FileFinderTests {
    @Test(arguments: [
        ("*.graphql", ["a.graphql"]),
        ("**/*.graphql", ["Sources/App/c.graphql", "Sources/b.graphql", "a.graphql"]),
        ("Sources/**", ["Sources/App/c.graphql", "Sources/App/d.swift", "Sources/b.graphql"]),
        ("Sources/*/*.swift", ["Sources/App/d.swift"]),
        ("**/?.{graphql,swift}", ["Sources/App/c.graphql", "Sources/App/d.swift", "Sources/b.graphql", "a.graphql"]),
        ("{Sources,Other}/{b,x{1,2}}.graphql", ["Sources/b.graphql"]),
        ("./Sources/../a.graphql", ["a.graphql"]),
        ("Sources", ["Sources/App/c.graphql", "Sources/App/d.swift", "Sources/b.graphql"]),
        ("notes.txt", ["notes.txt"]),
        ("**/*.txt", []),
        (".hidden/*.graphql", [".hidden/h.graphql"]),
        ("node_modules/**/*.graphql", ["node_modules/p/q.graphql"]),
        ("Linked/*.graphql", ["Linked/c.graphql"]),
        ("Linked", ["Linked/c.graphql", "Linked/d.swift"]),
        ("Link*/*.graphql", []),
        ("*/c.graphql", []),
        ("{Linked,Sources/*}/c.graphql", ["Linked/c.graphql", "Sources/App/c.graphql"]),
        ("Sources/*/*/c.graphql", []),
        ("nothing/**", []),
    ]) func filesAreFoundByPattern(_ pattern: String, _ expected: [String]) throws {
        let folder = try Self.folder()
        let finder = FileFinder(base: folder.path, extensions: ["graphql", "swift"])
        guard case .files(let found) = finder.find(pattern) else {
            Issue.record("'\(pattern)' finds nothing")
            return
        }
        #expect(found.map { $0.relative(to: folder.path) } == expected)
    }

    private static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder([
            "a.graphql": "", "notes.txt": "", "Sources/b.graphql": "", "Sources/App/c.graphql": "",
            "Sources/App/d.swift": "", ".hidden/h.graphql": "", ".build/x.graphql": "", "node_modules/p/q.graphql": "",
        ])
        try folder.makeFolder("folder.graphql")
        try folder.link("Sources/loop", to: "..")
        try folder.link("Linked", to: "Sources/App")
        try folder.link("broken.graphql", to: "nowhere")
        return folder
    }

    @Test func aFileIsLookedAtBeforeItIsRead() throws {
        let folder = try TemporaryFolder(["a": "head and more"])
        let path = folder.path.appending("a")
        let head = Array("head".utf8)
        #expect(try InputFile.read(path, beginningWith: head, atMost: 13) == Array("head and more".utf8))
        #expect(try InputFile.read(path, beginningWith: head, atMost: 12) == nil)
        #expect(try InputFile.read(path, beginningWith: Array("tail".utf8), atMost: 13) == nil)
        #expect(try InputFile.read(folder.path, beginningWith: head, atMost: 13) == nil)
        #expect(try InputFile.read(path, beginningWith: Array("head and more ".utf8), atMost: 99) == nil)
    }

    @Test func missingFilesAndBrokenPatternsAreReported() throws {
        let finder = FileFinder(base: try Self.folder().path, extensions: ["graphql"])
        #expect(finder.find("missing.graphql") == .notFound)
        #expect(finder.find("") == .invalid(.empty))
        #expect(finder.find("a{b") == .invalid(.unbalancedBraces))
        #expect(finder.find("a}b") == .invalid(.unbalancedBraces))
        #expect(finder.find(String(repeating: "{a,b}", count: 20)) == .invalid(.tooManyAlternatives))
    }

    @Test func excludedFoldersAreNotEntered() throws {
        let folder = try Self.folder()
        let finder = FileFinder(base: folder.path, extensions: ["graphql"]) {
            $0.name == "App" || $0.name == "a.graphql"
        }
        #expect(finder.find("**/*.graphql") == .files([folder.path.appending("Sources/b.graphql")]))
        #expect(finder.find("a.graphql") == .files([]))
    }

    @Test(arguments: [
        ("Generated", "Generated/a.graphql", true),
        ("Generated", "Generated2/a.graphql", false),
        ("**/*.test.graphql", "a/b.test.graphql", true),
        ("*.graphql", "a/b.graphql", false),
        ("/root/a/*", "a/b.graphql", true),
        ("../other/*", "../other/x.graphql", true),
        ("a*b*c", "aXbYbZc", true),
        ("a*b*c", "aXbYbZ", false),
    ]) func patternsMatchPathsAndFolders(_ pattern: String, _ path: String, _ expected: Bool) throws {
        let root = AbsolutePath(absolute: "/root")
        let glob = try Glob(pattern)
        #expect(glob.matches(AbsolutePath(path, relativeTo: root), relativeTo: root) == expected)
    }

    @Test func pathsAreCalculatedFromText() {
        let base = AbsolutePath(absolute: "/a//b/./c/../d/")
        #expect(base.description == "/a/b/d")
        #expect(AbsolutePath("../e", relativeTo: base).description == "/a/b/e")
        #expect(AbsolutePath("../../../../..", relativeTo: base).description == "/")
        #expect(AbsolutePath(absolute: "/a/x/y").relative(to: base) == "../../x/y")
        #expect(AbsolutePath(absolute: "/z").relative(to: base) == "/z")
        #expect(base.relative(to: base) == ".")
        #expect(base.appending("y").displayed(in: base) == "y")
        #expect(AbsolutePath(absolute: "/a/x/y").displayed(in: base) == "/a/x/y")
        #expect(base.name == "d" && base.parent.name == "b")
    }

    @Test func onlyRegularFilesAreRead() throws {
        let folder = try Self.folder()
        #expect(throws: InputFile.Failure(reason: "is a folder", isMissing: false)) {
            try InputFile.read(folder.path.appending("Sources"))
        }
        #expect(throws: InputFile.Failure(reason: "does not exist", isMissing: true)) {
            try InputFile.read(folder.path.appending("broken.graphql"))
        }
        #expect(throws: InputFile.Failure(reason: "is no regular file", isMissing: false)) {
            try InputFile.read(AbsolutePath(absolute: "/dev/null"))
        }
    }

    @Test(arguments: [
        ([0xFF, 0xFE, 0x61, 0x00, 0x3D, 0xD8, 0x00, 0xDE], Array("a\u{1F600}".utf8)),
        ([0xFE, 0xFF, 0x00, 0x61, 0x00, 0xE9], Array("a\u{E9}".utf8)),
        ([0xFF, 0xFE], []),
        ([0xFF, 0xFE, 0x61], [0xFF, 0xFE, 0x61]),
        ([0xFF, 0xFE, 0x3D, 0xD8, 0x61, 0x00], [0xFF, 0xFE, 0x3D, 0xD8, 0x61, 0x00]),
        ([0xEF, 0xBB, 0xBF, 0x61], [0xEF, 0xBB, 0xBF, 0x61]),
    ]) func textInUTF16IsReadAsUTF8(_ bytes: [UInt8], _ expected: [UInt8]) throws {
        let folder = try TemporaryFolder()
        try folder.write(Data(bytes), to: "text.graphql")
        #expect(try InputFile.readText(folder.path.appending("text.graphql")) == expected)
        #expect(try InputFile.read(folder.path.appending("text.graphql")) == bytes)
    }
}
