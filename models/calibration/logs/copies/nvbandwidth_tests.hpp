#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "models/calibration/device_work.hpp"

/// The tests of nvbandwidth and what the cells of their tables mean.
namespace vgsim::calibration::logs::nvbandwidth {

/// Between which places the cell of a table copies. Of pairs, the row is the GPU that copies: it
/// reads from the column's memory, or writes to it. The arrows in the headings show the opposite.
/// What decides is the description in nvbandwidth's testcase.h, which `nvbandwidth -l` shows: "Read
/// tests launch a copy from the peer device to the target using the target's context."
enum class Ends { kToGpu, kFromGpu, kPairReads, kPairWrites, kLocal };

struct TestKind {
  std::string_view name;  ///< without "_ce" or "_sm"
  Ends ends;
  bool both_ways = false;    ///< a copy runs the other way at the same time
  bool all_at_once = false;  ///< all GPUs copy at the same time
};

/// Null for tests of anything but copies, and for unknown ones.
[[nodiscard]] const TestKind* kind_of(std::string_view test);

/// Whether a kernel copies ("_sm"), not a copy engine ("_ce").
[[nodiscard]] bool is_by_kernel(std::string_view test);

/// Whether the table has a row and a column for each GPU. Other tables have one row.
[[nodiscard]] bool is_of_pairs(const TestKind& kind);

/// Adds the routes of a cell. The first is the one whose rate is told.
void add_routes(const TestKind& kind, std::size_t row, std::size_t column,
                std::vector<Route>& routes);

/// Of how many copies a rate is the sum. It is two for pairs where the heading says "Total", and
/// for kernels, whose one table before v0.5 shows the sum ("and the sum is reported", testcase.h).
/// Elsewhere it is the measured copy alone.
[[nodiscard]] double copies_counted(const TestKind& kind, std::string_view test,
                                    std::string_view heading);

/// "Read1" and the like: the table shows one of two directions, which a table of totals follows.
/// Empty for other tables.
[[nodiscard]] std::string_view part_in(std::string_view heading);

}  // namespace vgsim::calibration::logs::nvbandwidth
