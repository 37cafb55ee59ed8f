#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "models/vsphere/import/table/csv.hpp"

namespace vgsim::vsphere::import {

enum class RvTab : std::uint8_t { kHost, kInfo, kNetwork, kNic };

/// Which tab of RVTools a row of headings is of, and where its columns are.
struct RvColumns {
  RvTab tab = RvTab::kHost;
  std::map<std::string, std::size_t> index;  ///< by the name of a column used here: "cores"

  /// The cell of a row in a column; null if there is none, or nothing in it.
  [[nodiscard]] const CsvCell* cell(const CsvRow& row, const std::string& column) const;
};

[[nodiscard]] std::optional<RvColumns> rvtools_columns(const CsvRow& headings);

/// A whole number as any locale writes it: "1024", "1,024", "1.024", "1 024", "1024.00".
[[nodiscard]] std::optional<std::int64_t> locale_number(std::string_view text);

}  // namespace vgsim::vsphere::import
