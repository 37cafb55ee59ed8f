#include "models/vsphere/facts/cited.hpp"

#include <fmt/core.h>

namespace vgsim::vsphere {

using namespace input;

Shape citations_shape() {
  return map_shape(
      "short name of the source",
      object_shape({
          field("title", string_shape()).required(),
          field("url", string_shape()),
          field("evidence", enum_shape({"documented", "measured", "recalled", "assumed"}))
              .required()
              .describe("how well the fact is known"),
      }));
}

Citation Citations::of(const Value& name, Diagnostics& diagnostics) const {
  const auto found = find(sources_, as_string(name));
  if (!found) {
    diagnostics.error("E401", name.location(), name.pointer(),
                      fmt::format("unknown source \"{}\"", as_string(name)),
                      "a key of \"sources\" in the same file");
    return {};
  }
  const auto url = find(*found, "url");
  return {as_string(*find(*found, "title")), url ? as_string(*url) : "",
          as_string(*find(*found, "evidence"))};
}

}  // namespace vgsim::vsphere
