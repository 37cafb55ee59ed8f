#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "tools/sweep/export_table.hpp"
#include "tools/sweep/point_row.hpp"
#include "tools/sweep/store_error.hpp"
#include "tools/sweep/store_reader.hpp"

namespace vgsim::sweep {
namespace {

using Json = nlohmann::ordered_json;

/// SQLite's limit of columns, less eight that are not figures or set values.
constexpr std::size_t kMostColumns = 2000 - 8;

/// Unique column names; SQLite ignores case in them.
class ColumnNames {
 public:
  std::string quoted(const std::string& name) {
    std::string unique = name;
    for (int number = 2; !seen_.insert(lower(unique)).second; ++number) {
      unique = fmt::format("{}#{}", name, number);
    }
    std::string text = "\"";
    for (const char c : unique) {
      if (c == '"') text += '"';
      text += c;
    }
    return text + '"';
  }

 private:
  static std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
  }

  std::set<std::string> seen_;
};

const char* type_name(ColumnType type) {
  switch (type) {
    case ColumnType::kInteger:
      return "INTEGER";
    case ColumnType::kReal:
      return "REAL";
    case ColumnType::kText:
      return "TEXT";
  }
  return "";
}

std::string table_of(const ExportColumns& columns) {
  ColumnNames names;
  std::string text = "CREATE TABLE points(\"index\" INTEGER NOT NULL";
  for (std::size_t p = 0; p < columns.pointers.size(); ++p) {
    text += fmt::format(", {} {}", names.quoted(columns.pointers[p]), type_name(columns.types[p]));
  }
  text += ", layout TEXT";
  for (const std::string& name : columns.metrics) {
    text += fmt::format(", {} REAL", names.quoted(name));
  }
  return text + ", refused INTEGER, rules TEXT, fingerprint TEXT, failed TEXT, error TEXT)";
}

void bind(SQLite::Statement& insert, int at, const Json& value) {
  if (value.is_null()) return;  // unbound parameters are NULL
  if (value.is_number_integer()) return insert.bind(at, value.get<std::int64_t>());
  if (value.is_number()) return insert.bind(at, value.get<double>());
  insert.bind(at, value.is_string() ? value.get<std::string>() : value.dump());
}

/// Inserts rows with one prepared statement.
class Rows {
 public:
  Rows(SQLite::Database& database, const ExportColumns& columns)
      : columns_(columns), insert_(database, statement(columns)) {}

  void add(const PointRow& row) {
    for (const LayoutRow& layout : row.layouts) add(row, &layout);
    if (!row.failed.empty()) add(row, nullptr);
  }

 private:
  static std::string statement(const ExportColumns& columns) {
    std::string marks = "?";
    for (std::size_t i = 0; i < columns.pointers.size() + columns.metrics.size() + 6; ++i) {
      marks += ",?";
    }
    return fmt::format("INSERT INTO points VALUES({})", marks);
  }

  void add(const PointRow& row, const LayoutRow* layout) {
    insert_.reset();
    insert_.clearBindings();
    int at = 1;
    insert_.bind(at++, static_cast<std::int64_t>(row.index));
    for (const std::string& pointer : columns_.pointers) {
      const auto value = row.set.find(pointer);
      if (value != row.set.end()) bind(insert_, at, *value);
      ++at;
    }
    const int after = at + 1 + static_cast<int>(columns_.metrics.size());
    if (layout != nullptr) {
      add_layout(*layout, at, after);
    } else {
      insert_.bind(after + 3, row.failed);
      insert_.bind(after + 4, fmt::format("{}", fmt::join(row.reasons, "; ")));
    }
    static_cast<void>(insert_.exec());
  }

  void add_layout(const LayoutRow& layout, int at, int after) {
    insert_.bind(at++, layout.name);
    for (const std::string& name : columns_.metrics) {
      const auto found = std::find_if(layout.metrics.begin(), layout.metrics.end(),
                                      [&](const auto& metric) { return metric.first == name; });
      if (found != layout.metrics.end()) insert_.bind(at, found->second);
      ++at;
    }
    insert_.bind(after, layout.refused ? 1 : 0);
    insert_.bind(after + 1, fmt::format("{}", fmt::join(layout.rules, " ")));
    if (!layout.refused) insert_.bind(after + 2, layout.fingerprint);
  }

  const ExportColumns& columns_;
  SQLite::Statement insert_;
};

void add_header(SQLite::Database& database, const StoreHeader& header) {
  database.exec("CREATE TABLE sweep(key TEXT PRIMARY KEY, value TEXT)");
  SQLite::Statement insert(database, "INSERT INTO sweep VALUES(?, ?)");
  for (const auto& [key, value] : {std::pair<const char*, std::string>{"sweep", header.sweep},
                                   {"vgsim", header.vgsim},
                                   {"digest", header.digest},
                                   {"models", header.models},
                                   {"points", std::to_string(header.points)}}) {
    insert.reset();
    insert.bind(1, key);
    insert.bind(2, value);
    static_cast<void>(insert.exec());
  }
}

}  // namespace

void write_sqlite(const std::string& store, const StoreHeader& header, const ExportColumns& columns,
                  const std::string& file) {
  if (columns.pointers.size() + columns.metrics.size() > kMostColumns) {
    throw StoreError(fmt::format(
        "more than {} figures and places, which is more than SQLite takes: choose \"metrics\"",
        kMostColumns));
  }
  try {
    SQLite::Database database(file, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    // The file is removed on any failure, so it needs no journal.
    database.exec("PRAGMA journal_mode=OFF");
    database.exec("PRAGMA synchronous=OFF");
    SQLite::Transaction transaction(database);
    add_header(database, header);
    database.exec(table_of(columns));
    {
      Rows rows(database, columns);
      static_cast<void>(read_store(store, header,
                                   [&rows](std::string_view line) { rows.add(read_point(line)); }));
    }
    database.exec("CREATE INDEX points_by_index ON points(\"index\")");
    transaction.commit();
  } catch (const SQLite::Exception& error) {
    throw StoreError(fmt::format("cannot write {}: {}", file, error.what()));
  }
}

}  // namespace vgsim::sweep
