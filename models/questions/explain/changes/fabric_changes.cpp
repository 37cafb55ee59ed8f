#include <fmt/core.h>

#include "models/questions/explain/changes/document.hpp"
#include "topology/input/unit_strings.hpp"

namespace vgsim::scenario {
namespace {

/// A rate of the fabric, doubled.
void add_doubled(const Situation& at, const char* key, const char* what,
                 std::vector<Change>& changes) {
  const std::string pointer = fmt::format("/fabric/{}", key);
  const auto rate = input::parse_bytes_per_second(text_at(at.document, pointer));
  if (!rate) return;
  const std::string doubled = input::format_rate(BytesPerSecond{2 * rate->count()});
  changes.push_back(
      {fmt::format("faster-{}", key == std::string("uplink") ? "uplinks" : "ports"),
       fmt::format("{} of {} instead of {}", what, doubled, text_at(at.document, pointer)),
       {set_text(pointer, doubled)},
       {"switches that have such ports"},
       {},
       false});
}

}  // namespace

void add_fabric_changes(const Situation& at, std::vector<Change>& changes) {
  add_doubled(at, "uplink", "links between leaves and spines", changes);
  add_doubled(at, "host_link", "switch ports", changes);
  const auto spines = value_at(at.document, "/fabric/spines");
  if (spines && spines->kind() == input::Kind::integer) {
    changes.push_back(
        {"more-spines",
         fmt::format("{} spines instead of {}", 2 * spines->integer(), spines->integer()),
         {set_number("/fabric/spines", static_cast<double>(2 * spines->integer()))},
         {"a free port of every leaf for each new spine"},
         {},
         false});
  }
  const std::string kind = text_at(at.document, "/fabric/kind");
  if (kind == "leaf-spine") {
    changes.push_back({"one-switch",
                       "all hosts on one non-blocking switch",
                       {set_text("/fabric/kind", "single-switch"), take_away("/fabric/leaves"),
                        take_away("/fabric/spines"), take_away("/fabric/uplink")},
                       {"a switch with a port for every NIC"},
                       {},
                       false});
  }
}

}  // namespace vgsim::scenario
