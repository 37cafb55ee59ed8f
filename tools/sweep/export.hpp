#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/sweep/store_lines.hpp"

namespace vgsim::sweep {

enum class ExportKind { kCsv, kJsonLines, kSqlite, kXlsx };

/// By the end of the name: .csv; .xlsx; .jsonl or .ndjson; .sqlite, .sqlite3 or .db.
[[nodiscard]] std::optional<ExportKind> export_kind(const std::string& file);

/// Throws StoreError where the name tells no format, or is that of the store or of a folder: found
/// before hours of simulating.
void check_export(const std::string& file, const std::string& store);

/// Writes what a store holds, complete or not, to a file: whole or not at all.
///
/// CSV (RFC 4180), XLSX and SQLite have one row per point and layout, and one for a point that
/// failed: index, what was set by pointer, layout, figures, whether it was refused, rules,
/// fingerprint, error. SQLite has them typed in a table "points", and the header in "sweep". JSON
/// lines are those of the store without checksums. Throws StoreError.
void export_store(const std::string& store, const StoreHeader& header, const std::string& file);

}  // namespace vgsim::sweep
