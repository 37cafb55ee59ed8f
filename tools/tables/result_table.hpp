#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tools/tables/table_file.hpp"

namespace vgsim::cli {
struct Subject;
}

namespace vgsim::tables {

/// A row for each layout of a result (vgsim.result/1): its name, whether it was refused, and all
/// figures by the names that they have in results, "_low" and "_high" behind one that is an
/// interval (nine in ten lie between them).
[[nodiscard]] Table result_table(const nlohmann::ordered_json& result);

/// The same of what is compared, with the file before it.
[[nodiscard]] Table comparison_table(const std::vector<cli::Subject>& subjects);

}  // namespace vgsim::tables
