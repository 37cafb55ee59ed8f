#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topology/catalog/catalog.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/meant_names.hpp"
#include "topology/input/origin.hpp"

namespace vgsim::topology {

/// The parts of a kind ("gpus") with their titles and aliases.
[[nodiscard]] std::vector<input::KnownName> known_parts(const Catalog& catalog,
                                                        const std::string& kind);

/// The one part of a kind that a person may have meant by a text: the only one that fits (see
/// input::meant_names), or of several the `usual` one. Nothing if none fits, or several do.
[[nodiscard]] std::optional<std::string> meant_part(const Catalog& catalog, const std::string& kind,
                                                    std::string_view text,
                                                    std::string_view usual = {});

/// The GPU that a dump names, as its driver does (Catalog::gpu_by_driver_name) or as the PCI ID
/// list does, the product in brackets: "NVIDIA Corporation GH100 [H100 SXM5 80GB]". nullptr if none
/// or several are meant.
[[nodiscard]] const GpuModel* gpu_by_dumped_name(const Catalog& catalog, std::string_view name);
/// The one part that is called just so: by its name, title or an alias, word for word. Nothing if
/// none is, or several are.
[[nodiscard]] std::optional<std::string> part_called(const Catalog& catalog,
                                                     const std::string& kind,
                                                     std::string_view text);

/// The name in a scenario as the catalogue has it. One that means nothing comes back as it is, one
/// that may mean several is an error that lists them, and nothing comes back.
[[nodiscard]] std::optional<std::string> part_name(const Catalog& catalog, const std::string& kind,
                                                   const input::At<std::string>& written,
                                                   std::string_view usual,
                                                   input::Diagnostics& diagnostics);

}  // namespace vgsim::topology
