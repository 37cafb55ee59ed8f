#include "tools/sweep/export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include "tools/files/atomic_file.hpp"
#include "tools/sweep/export_table.hpp"
#include "tools/sweep/point_row.hpp"
#include "tools/sweep/store_error.hpp"
#include "tools/sweep/store_reader.hpp"

namespace vgsim::sweep {
namespace {

namespace fs = std::filesystem;

using Json = nlohmann::ordered_json;

/// The type that holds values of both.
ColumnType wider(ColumnType a, ColumnType b) { return std::max(a, b); }

ColumnType type_of(const Json& value) {
  if (value.is_number_integer()) return ColumnType::kInteger;
  return value.is_number() ? ColumnType::kReal : ColumnType::kText;
}

}  // namespace

std::optional<ExportKind> export_kind(const std::string& file) {
  const std::string end = fs::path(file).extension().string();
  if (end == ".csv") return ExportKind::kCsv;
  if (end == ".xlsx") return ExportKind::kXlsx;
  if (end == ".jsonl" || end == ".ndjson") return ExportKind::kJsonLines;
  if (end == ".sqlite" || end == ".sqlite3" || end == ".db") return ExportKind::kSqlite;
  return std::nullopt;
}

void check_export(const std::string& file, const std::string& store) {
  if (!export_kind(file)) {
    throw StoreError(fmt::format(
        "unknown format of {}: expected a name with .csv, .xlsx, .jsonl or .sqlite", file));
  }
  std::error_code error;
  if (fs::weakly_canonical(file, error) == fs::weakly_canonical(store, error)) {
    throw StoreError(fmt::format("{} is the sweep's own store: export to another file", file));
  }
  if (fs::is_directory(file, error)) throw StoreError(fmt::format("{} is a folder", file));
}

ExportColumns columns_of(const std::string& store, const StoreHeader& header) {
  ExportColumns columns{header.pointers, {}, {}};
  columns.types.resize(columns.pointers.size(), ColumnType::kInteger);
  std::set<std::string> seen;
  const auto take = [&](std::string_view line) {
    const PointRow row = read_point(line);
    for (std::size_t p = 0; p < columns.pointers.size(); ++p) {
      const auto value = row.set.find(columns.pointers[p]);
      if (value == row.set.end() || value->is_null()) continue;
      columns.types[p] = wider(columns.types[p], type_of(*value));
    }
    for (const LayoutRow& layout : row.layouts) {
      for (const auto& [name, value] : layout.metrics) {
        if (seen.insert(name).second) columns.metrics.push_back(name);
      }
    }
  };
  static_cast<void>(read_store(store, header, take));
  return columns;
}

void export_store(const std::string& store, const StoreHeader& header, const std::string& file) {
  check_export(file, store);
  std::error_code error;
  fs::create_directories(fs::path(file).parent_path(), error);  // AtomicFile reports the failure.
  const ExportKind kind = *export_kind(file);
  // SQLite opens its file itself.
  files::AtomicFile out(file, kind == ExportKind::kSqlite ? files::AtomicFile::Way::kNamed
                                                          : files::AtomicFile::Way::kUnnamed);
  switch (kind) {
    case ExportKind::kJsonLines:
      static_cast<void>(read_store(store, header, [&out](std::string_view line) {
        out.write(without_seal(line));
        out.write("\n");
      }));
      break;
    case ExportKind::kCsv: {
      const ExportColumns columns = columns_of(store, header);
      out.write(csv_header(columns));
      static_cast<void>(read_store(
          store, header, [&](std::string_view line) { out.write(csv_rows(columns, line)); }));
      break;
    }
    case ExportKind::kXlsx:
      out.write(xlsx_of(store, header, columns_of(store, header)));
      break;
    case ExportKind::kSqlite:
      write_sqlite(store, header, columns_of(store, header), out.temporary());
      break;
  }
  out.finish();
}

}  // namespace vgsim::sweep
