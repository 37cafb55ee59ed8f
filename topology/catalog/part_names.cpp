#include "topology/catalog/part_names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "topology/input/suggest.hpp"
#include "topology/input/text_cells.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::topology {
namespace {

using input::find;
using input::Value;

/// The matching names, or only the usual one of them. Tries the name itself first, because most
/// scenarios use it.
std::vector<std::string> fitting_parts(const Catalog& catalog, const std::string& kind,
                                       std::string_view text, std::string_view usual) {
  if (catalog.names.at(kind).contains(text)) return {std::string(text)};
  auto names = input::matching_names(text, known_parts(catalog, kind));
  if (std::find(names.begin(), names.end(), usual) != names.end()) names = {std::string(usual)};
  return names;
}

}  // namespace

std::vector<input::KnownName> known_parts(const Catalog& catalog, const std::string& kind) {
  std::vector<input::KnownName> known;
  const Value entries = *find(catalog.documents.at(kind), "entries");
  for (const auto& [id, key, entry] : entries.members()) {
    input::KnownName& part = known.emplace_back(input::KnownName{id, {}});
    if (const auto title = find(entry, "name")) part.others.push_back(input::as_string(*title));
    const auto aliases = find(entry, "aliases");
    if (!aliases) continue;
    for (const Value& alias : aliases->elements()) part.others.push_back(input::as_string(alias));
  }
  return known;
}

std::optional<std::string> matching_part(const Catalog& catalog, const std::string& kind,
                                         std::string_view text, std::string_view usual) {
  const auto names = fitting_parts(catalog, kind, text, usual);
  return names.size() == 1 ? std::optional(names.front()) : std::nullopt;
}

const GpuModel* gpu_by_dumped_name(const Catalog& catalog, std::string_view name) {
  if (const GpuModel* model = catalog.gpu_by_driver_name(name)) return model;
  const std::size_t open = name.rfind('[');
  const std::size_t close = name.rfind(']');
  if (open == name.npos || close == name.npos || close < open) return nullptr;
  std::string_view product = name.substr(open + 1, close - open - 1);
  constexpr std::string_view kOldBrand = "Tesla ";
  if (product.starts_with(kOldBrand)) product.remove_prefix(kOldBrand.size());
  const auto part = matching_part(catalog, "gpus", product);
  return part ? &catalog.gpus.at(*part) : nullptr;
}

std::string unknown_gpu_text(const Catalog& catalog, std::string_view name) {
  const std::string shown = input::printable(name);
  const GpuModel* nearest = nullptr;
  std::size_t least = 0;
  for (const auto& [id, gpu] : catalog.gpus) {
    if (gpu.driver_name.empty()) continue;
    const std::size_t distance = input::edit_distance(gpu.driver_name, shown);
    if (nearest != nullptr && distance >= least) continue;
    nearest = &gpu;
    least = distance;
  }
  const std::string hint =
      nearest == nullptr ? std::string() : fmt::format(" (nearest: {})", nearest->id);
  return fmt::format("\"{}\", which is not in the catalogue{}", shown, hint);
}

std::optional<std::string> exactly_matching_part(const Catalog& catalog, const std::string& kind,
                                                 std::string_view text) {
  const auto names = input::exactly_matching_names(text, known_parts(catalog, kind));
  return names.size() == 1 ? std::optional(names.front()) : std::nullopt;
}

std::optional<std::string> part_name(const Catalog& catalog, const std::string& kind,
                                     const input::At<std::string>& written, std::string_view usual,
                                     input::Diagnostics& diagnostics) {
  const auto names = fitting_parts(catalog, kind, *written, usual);
  if (names.empty()) return *written;
  if (names.size() == 1) return names.front();
  diagnostics.error("E411", written.origin.location, input::to_pointer(written.origin.path),
                    fmt::format("\"{}\" may mean several of the catalogue's {}", *written, kind),
                    fmt::format("one of: {}", fmt::join(names, ", ")));
  return std::nullopt;
}

}  // namespace vgsim::topology
