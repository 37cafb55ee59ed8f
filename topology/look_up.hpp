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

/// An error at a name that is none of `known`, with the nearest of them. \p what it should name;
/// `listed_by` tells all that it may.
void report_unknown(const input::At<std::string>& name, const std::string& what,
                    const std::vector<std::string>& known, input::Diagnostics& diagnostics,
                    std::string_view listed_by = {});

/// The part of that name, or nullptr and an error with the nearest name.
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

/// The part of the catalogue that a text means, of the table for its kind ("gpus"): by its name, or
/// by what else people call it. Of several that it may mean the `usual` one; else nullptr and an
/// error.
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

/// The model of "4 x a100-pcie-80gb"; nullptr and an error where that is none. `usual`: the GPU
/// that is meant where the words fit several, by its catalogue name.
[[nodiscard]] const GpuModel* named_gpu(const input::At<GpuCount>& gpus, const Catalog& catalog,
                                        std::string_view usual, input::Diagnostics& diagnostics);

}  // namespace vgsim::topology
