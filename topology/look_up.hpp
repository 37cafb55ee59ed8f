#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "topology/catalog/catalog.hpp"
#include "topology/catalog/part_names.hpp"
#include "topology/graph/gpu_count.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/origin.hpp"
#include "topology/input/report.hpp"

namespace vgsim::topology {

using input::report;

/// Reports a name that is not in `known`, with the nearest names. \p what is the expected kind of
/// thing; `listed_by` is the command that lists the valid names.
void report_unknown(const input::At<std::string>& name, const std::string& what,
                    const std::vector<std::string>& known, input::Diagnostics& diagnostics,
                    std::string_view listed_by = {});

/// The part with that name; otherwise reports an error with the nearest names and returns nullptr.
template <class Table>
[[nodiscard]] const typename Table::mapped_type* look_up(const Table& table,
                                                         const input::At<std::string>& name,
                                                         const std::string& what,
                                                         input::Diagnostics& diagnostics) {
  const auto found = table.find(*name);
  if (found != table.end()) return &found->second;
  report_unknown(name, what, names_of(table), diagnostics);
  return nullptr;
}

/// The part that a text names in the table of its kind ("gpus"), by its name, title or alias. If
/// the text matches several, the `usual` one; otherwise reports an error and returns nullptr.
template <class Table>
[[nodiscard]] const typename Table::mapped_type* look_up_part(
    const Table& table, const Catalog& catalog, const std::string& kind,
    const input::At<std::string>& text, const std::string& what, input::Diagnostics& diagnostics,
    std::string_view usual = {}) {
  const auto found = table.find(*text);
  if (found != table.end()) return &found->second;
  const auto name = part_name(catalog, kind, text, usual, diagnostics);
  if (!name) return nullptr;
  const auto meant = table.find(*name);
  if (meant != table.end()) return &meant->second;
  report_unknown({*name, text.origin}, what, names_of(table), diagnostics, "vgsim catalog " + kind);
  return nullptr;
}

/// The model in "4 x a100-pcie-80gb"; otherwise reports an error and returns nullptr. `usual`:
/// catalogue name of the GPU to use if the words match several.
[[nodiscard]] const GpuModel* named_gpu(const input::At<GpuCount>& gpus, const Catalog& catalog,
                                        std::string_view usual, input::Diagnostics& diagnostics);

}  // namespace vgsim::topology
