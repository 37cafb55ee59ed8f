#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topology/catalog/catalog.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/matching_names.hpp"
#include "topology/input/origin.hpp"

namespace vgsim::topology {

/// The parts of a kind ("gpus") with their titles and aliases.
[[nodiscard]] std::vector<input::KnownName> known_parts(const Catalog& catalog,
                                                        const std::string& kind);

/// The only part of a kind that matches a text (see input::matching_names), or the `usual` one of
/// several. Nothing if none matches, or several do.
[[nodiscard]] std::optional<std::string> matching_part(const Catalog& catalog,
                                                       const std::string& kind,
                                                       std::string_view text,
                                                       std::string_view usual = {});

/// The GPU with a name from a dump: as in its driver (Catalog::gpu_by_driver_name) or in the PCI ID
/// list, with the product in brackets: "NVIDIA Corporation GH100 [H100 SXM5 80GB]". nullptr if none
/// or several match.
[[nodiscard]] const GpuModel* gpu_by_dumped_name(const Catalog& catalog, std::string_view name);

/// A GPU name from a dump that the catalogue does not have, with the name of the most similar GPU
/// that it has: "\"NVIDIA H30\", which is not in the catalogue (nearest: h20-sxm5-96gb)".
[[nodiscard]] std::string unknown_gpu_text(const Catalog& catalog, std::string_view name);

/// The only part whose name, title or alias has exactly these words. Nothing if none has, or
/// several have.
[[nodiscard]] std::optional<std::string> exactly_matching_part(const Catalog& catalog,
                                                               const std::string& kind,
                                                               std::string_view text);

/// The catalogue name for a name in a scenario. An unknown name is returned unchanged; for an
/// ambiguous one reports an error that lists the candidates and returns nothing.
[[nodiscard]] std::optional<std::string> part_name(const Catalog& catalog, const std::string& kind,
                                                   const input::At<std::string>& written,
                                                   std::string_view usual,
                                                   input::Diagnostics& diagnostics);

}  // namespace vgsim::topology
