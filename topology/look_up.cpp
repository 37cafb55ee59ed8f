#include "topology/look_up.hpp"

#include <fmt/format.h>

#include <utility>

#include "topology/input/suggest.hpp"
#include "topology/input/value.hpp"

namespace vgsim::topology {

void report(input::Diagnostics& diagnostics, const input::Origin& at, std::string message,
            std::string expected, std::vector<std::string> suggestions) {
  diagnostics.error("E411", at.location, input::to_pointer(at.path), std::move(message),
                    std::move(expected), std::move(suggestions));
}

void report(input::Diagnostics& diagnostics, const input::Value& at, std::string message,
            std::string expected, std::vector<std::string> suggestions) {
  report(diagnostics, at.origin(), std::move(message), std::move(expected), std::move(suggestions));
}

void report_unknown(const input::At<std::string>& name, const std::string& what,
                    const std::vector<std::string>& known, input::Diagnostics& diagnostics) {
  report(diagnostics, name, fmt::format("unknown {} \"{}\"", what, *name),
         fmt::format("one of: {}", fmt::join(known, ", ")), input::suggest(*name, known));
}

const GpuModel* named_gpu(const input::At<GpuCount>& gpus, const Catalog& catalog,
                          std::string_view usual, input::Diagnostics& diagnostics) {
  return look_up_part(catalog.gpus, catalog, "gpus", {gpus->gpu, gpus.origin}, "gpu", diagnostics,
                      usual);
}

}  // namespace vgsim::topology
