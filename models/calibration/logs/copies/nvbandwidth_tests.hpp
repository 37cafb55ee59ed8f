#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "models/calibration/device_work.hpp"

/// The tests of nvbandwidth and the meaning of their tables' cells.
namespace vgsim::calibration::logs::nvbandwidth {

/// The source and destination of a cell's copy. For pairs, the row is the GPU that copies: it reads
/// from the column's memory, or writes to it. The arrows in the headings show the opposite; the
/// description in nvbandwidth's testcase.h is correct (`nvbandwidth -l`): "Read tests launch a copy
/// from the peer device to the target using the target's context."
enum class Ends { kToGpu, kFromGpu, kPairReads, kPairWrites, kLocal };

struct TestKind {
  std::string_view name;  ///< without "_ce" or "_sm"
  Ends ends;
  bool both_ways = false;    ///< a copy in the other direction runs at the same time
  bool all_at_once = false;  ///< all GPUs copy at the same time
};

/// Null for unknown tests and for tests other than copies.
[[nodiscard]] const TestKind* kind_of(std::string_view test);

/// Whether a kernel copies ("_sm"), not a copy engine ("_ce").
[[nodiscard]] bool is_by_kernel(std::string_view test);

/// Whether the table has a row and a column for each GPU. Other tables have one row.
[[nodiscard]] bool is_of_pairs(const TestKind& kind);

/// Adds the routes of a cell. The first is the one with the reported rate.
void add_routes(const TestKind& kind, std::size_t row, std::size_t column,
                std::vector<Route>& routes);

/// The number of copies in the sum of a rate: two for pairs with "Total" in the heading, and for
/// kernels, whose single table before v0.5 shows the sum ("and the sum is reported", testcase.h);
/// else one.
[[nodiscard]] double copies_counted(const TestKind& kind, std::string_view test,
                                    std::string_view heading);

/// "Read1" and the like: the table has one of two directions, followed by a table of totals. Empty
/// for other tables.
[[nodiscard]] std::string_view part_in(std::string_view heading);

}  // namespace vgsim::calibration::logs::nvbandwidth
