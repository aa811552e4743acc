//! Edges between the files of a folder as Zig finds them: `zig run zig_imports.zig -- FOLDER`.
//!
//! The tokens come from the compiler's own tokenizer: `@import("…")` and `@embedFile("…")`. A name that ends
//! with `.zig` or `.zon` is a path from the file, as the language reference says; `std` is
//! `std/std.zig` below `lib`, where the compiler's own repository keeps it. Other packages are what a build
//! declares, and are left out. Prints one JSON object a line: the importing and the imported file;
//! one without the latter for each file read.

const std = @import("std");

pub fn main() !void {
    var arena = std.heap.ArenaAllocator.init(std.heap.page_allocator);
    const allocator = arena.allocator();
    const arguments = try std.process.argsAlloc(allocator);
    var folder = try std.fs.cwd().openDir(arguments[1], .{ .iterate = true });
    const out = std.io.getStdOut().writer();
    var files = try folder.walk(allocator);
    while (try files.next()) |entry| {
        if (entry.kind != .file or !std.mem.endsWith(u8, entry.path, ".zig")) continue;
        const text = try folder.readFileAllocOptions(allocator, entry.path, 1 << 26, null, 1, 0);
        try out.print("{{\"from\": \"{s}\"}}\n", .{entry.path});
        var seen = std.StringHashMap(void).init(allocator);
        var tokens = std.zig.Tokenizer.init(text);
        var before: [2]std.zig.Token = undefined;
        var n: usize = 0;
        while (true) : (n += 1) {
            const token = tokens.next();
            if (token.tag == .eof) break;
            if (n >= 2 and token.tag == .string_literal and before[1].tag == .l_paren and before[0].tag == .builtin) {
                const builtin = text[before[0].loc.start..before[0].loc.end];
                const name = text[token.loc.start + 1 .. token.loc.end - 1];
                if (try target(allocator, folder, builtin, name, entry.path)) |path| {
                    const is_new = !(try seen.getOrPut(path)).found_existing;
                    if (is_new and !std.mem.eql(u8, path, entry.path))
                        try out.print("{{\"from\": \"{s}\", \"to\": \"{s}\"}}\n", .{ entry.path, path });
                }
            }
            before = .{ before[1], token };
        }
    }
}

fn target(allocator: std.mem.Allocator, folder: std.fs.Dir, builtin: []const u8, name: []const u8, from: []const u8) !?[]const u8 {
    const is_import = std.mem.eql(u8, builtin, "@import");
    if (!is_import and !std.mem.eql(u8, builtin, "@embedFile")) return null;
    const is_path = !is_import or std.mem.endsWith(u8, name, ".zig") or std.mem.endsWith(u8, name, ".zon");
    const path = if (is_path)
        // A leading slash keeps the path relative to the folder.
        try std.fs.path.resolvePosix(allocator, &.{ "/", std.fs.path.dirname(from) orelse "", name })
    else if (std.mem.eql(u8, name, "std"))
        "/lib/std/std.zig"
    else
        return null;
    folder.access(path[1..], .{}) catch return null;
    return path[1..];
}
