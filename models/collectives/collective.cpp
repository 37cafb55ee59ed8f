#include "models/collectives/collective.hpp"

#include <array>
#include <stdexcept>
#include <string>
#include <utility>

namespace vgsim::collectives {
namespace {

constexpr std::array<std::pair<Collective, const char*>, 7> kWords = {{
    {Collective::kAllReduce, "all_reduce"},
    {Collective::kReduceScatter, "reduce_scatter"},
    {Collective::kAllGather, "all_gather"},
    {Collective::kBroadcast, "broadcast"},
    {Collective::kReduce, "reduce"},
    {Collective::kAllToAll, "all_to_all"},
    {Collective::kSendRecv, "send_recv"},
}};

}  // namespace

const char* to_string(Collective collective) {
  return kWords[static_cast<std::size_t>(collective)].second;
}

Collective collective_of(std::string_view word) {
  for (const auto& [collective, text] : kWords) {
    if (word == text) return collective;
  }
  throw std::invalid_argument("unknown collective: " + std::string(word));
}

double bus_factor(Collective collective, std::size_t ranks) {
  const auto n = static_cast<double>(ranks);
  switch (collective) {
    case Collective::kAllReduce:
      return 2.0 * (n - 1.0) / n;
    case Collective::kReduceScatter:
    case Collective::kAllGather:
    case Collective::kAllToAll:
      return (n - 1.0) / n;
    case Collective::kBroadcast:
    case Collective::kReduce:
    case Collective::kSendRecv:
      return 1.0;
  }
  return 1.0;
}

}  // namespace vgsim::collectives
