#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/sweep/store_lines.hpp"

namespace vgsim::sweep {

enum class ExportKind { kCsv, kJsonLines, kSqlite, kXlsx };

/// By the extension: .csv; .xlsx; .jsonl or .ndjson; .sqlite, .sqlite3 or .db.
[[nodiscard]] std::optional<ExportKind> export_kind(const std::string& file);

/// Throws StoreError if the extension is unknown, or the file is the store or a folder, so that
/// a sweep of hours does not end with that error.
void check_export(const std::string& file, const std::string& store);

/// Exports a store, complete or not, to a file, which is written completely or not at all.
///
/// CSV (RFC 4180), XLSX and SQLite have one row per point and layout, and one for a point that
/// failed: index, set values by pointer, layout, figures, whether it was refused, rules,
/// fingerprint, error. SQLite has typed columns in a table "points", and the header in "sweep".
/// JSON lines are those of the store without checksums. Throws StoreError.
void export_store(const std::string& store, const StoreHeader& header, const std::string& file);

}  // namespace vgsim::sweep
