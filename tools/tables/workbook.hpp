#pragma once

#include <string>

#include "tools/tables/table_file.hpp"

namespace vgsim::tables {

/// The bytes of a workbook with the sheets "results" and, if Table::about has entries, "about".
[[nodiscard]] std::string workbook_bytes(const Table& table);

}  // namespace vgsim::tables
