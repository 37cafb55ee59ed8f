#include "topology/look_up.hpp"

#include <fmt/format.h>

#include "topology/input/suggest.hpp"

namespace vgsim::topology {

void report_unknown(const input::At<std::string>& name, const std::string& what,
                    const std::vector<std::string>& known, input::Diagnostics& diagnostics,
                    std::string_view listed_by) {
  report(diagnostics, name, fmt::format("unknown {} \"{}\"", what, *name),
         input::one_of(*name, known, listed_by), input::suggest(*name, known));
}

const GpuModel* named_gpu(const input::At<GpuCount>& gpus, const Catalog& catalog,
                          std::string_view usual, input::Diagnostics& diagnostics) {
  return look_up_part(catalog.gpus, catalog, "gpus", {gpus->gpu, gpus.origin}, "gpu", diagnostics,
                      usual);
}

}  // namespace vgsim::topology
