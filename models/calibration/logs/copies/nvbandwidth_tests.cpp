#include "models/calibration/logs/copies/nvbandwidth_tests.hpp"

#include <algorithm>
#include <array>

#include "models/calibration/logs/log_lines.hpp"

namespace vgsim::calibration::logs::nvbandwidth {
namespace {

constexpr std::array<TestKind, 14> kKinds = {{
    {"host_to_device_memcpy", Ends::kToGpu},
    {"device_to_host_memcpy", Ends::kFromGpu},
    {"host_to_device_bidirectional_memcpy", Ends::kToGpu, true},
    {"device_to_host_bidirectional_memcpy", Ends::kFromGpu, true},
    {"device_to_device_memcpy_read", Ends::kPairReads},
    {"device_to_device_memcpy_write", Ends::kPairWrites},
    {"device_to_device_bidirectional_memcpy", Ends::kPairWrites, true},
    {"device_to_device_bidirectional_memcpy_read", Ends::kPairReads, true},
    {"device_to_device_bidirectional_memcpy_write", Ends::kPairWrites, true},
    {"all_to_host_memcpy", Ends::kFromGpu, false, true},
    {"all_to_host_bidirectional_memcpy", Ends::kFromGpu, true, true},
    {"host_to_all_memcpy", Ends::kToGpu, false, true},
    {"host_to_all_bidirectional_memcpy", Ends::kToGpu, true, true},
    {"device_local_copy", Ends::kLocal},
}};

}  // namespace

const TestKind* kind_of(std::string_view test) {
  if (test.ends_with("_ce") || test.ends_with("_sm")) test.remove_suffix(3);
  const auto* const kind =
      std::ranges::find_if(kKinds, [&](const TestKind& each) { return each.name == test; });
  return kind == kKinds.end() ? nullptr : kind;
}

bool is_by_kernel(std::string_view test) { return test.ends_with("_sm"); }

bool is_of_pairs(const TestKind& kind) {
  return kind.ends == Ends::kPairReads || kind.ends == Ends::kPairWrites;
}

void add_routes(const TestKind& kind, std::size_t row, std::size_t column,
                std::vector<Route>& routes) {
  const Place host{Place::Kind::kPinned, 0, {}};
  const Place peer{Place::Kind::kGpu, column, {}};
  const Place own{Place::Kind::kGpu, row, {}};
  Route route{peer, peer};
  if (kind.ends == Ends::kToGpu) route = {host, peer};
  if (kind.ends == Ends::kFromGpu) route = {peer, host};
  if (kind.ends == Ends::kPairReads) route = {peer, own};
  if (kind.ends == Ends::kPairWrites) route = {own, peer};
  routes.push_back(route);
  if (kind.both_ways) routes.push_back({route.to, route.from});
}

double copies_counted(const TestKind& kind, std::string_view test, std::string_view heading) {
  if (!is_of_pairs(kind) || !kind.both_ways) return 1.0;
  return contains(heading, "Total") || is_by_kernel(test) ? 2.0 : 1.0;
}

std::string_view part_in(std::string_view heading) {
  for (const std::string_view part : {"Read1", "Read2", "Write1", "Write2"}) {
    if (contains(heading, part)) return part;
  }
  return {};
}

}  // namespace vgsim::calibration::logs::nvbandwidth
