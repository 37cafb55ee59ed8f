#include "models/questions/studies/busbw_curve.hpp"

#include <algorithm>
#include <array>

#include "models/questions/studies/one_run.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::scenario {
namespace {

using input::Member;
using input::Value;

constexpr const char* kSizes = "8 B .. 4 GiB x2";
constexpr std::size_t kFewestPoints = 3;  ///< that make a curve

Value text_member(const char* text) { return Value::make_string(text); }

/// A job that does nothing but the collective, among the same GPUs.
Value collective_job(const Value& job) {
  constexpr std::array<const char*, 6> kKept{"vms",     "ranks",    "nccl",
                                             "pattern", "fidelity", "beside"};
  std::vector<Member> members;
  const auto collective = input::find(job, "collective");
  members.push_back({"collective", {}, collective.value_or(text_member("all_reduce"))});
  members.push_back({"sizes", {}, text_member(kSizes)});
  for (const Member& member : job.members()) {
    if (std::find(kKept.begin(), kKept.end(), member.name) != kKept.end()) {
      members.push_back(member);
    }
  }
  return Value::make_object(std::move(members));
}

/// The layout with that job, without what is about training alone.
Value with_collective(const Value& layout) {
  constexpr std::array<const char*, 5> kLeftOut{"disruptions", "prices", "reliability", "faults",
                                                "expect"};
  std::vector<Member> members;
  for (const Member& member : layout.members()) {
    if (std::find(kLeftOut.begin(), kLeftOut.end(), member.name) != kLeftOut.end()) continue;
    members.push_back(member);
    if (member.name == "job") members.back().value = collective_job(member.value);
  }
  return Value::make_object(std::move(members), layout.origin());
}

void fill(const LayoutResult& run, BusbwCurve& curve) {
  curve.collective = *run.collective;
  const auto carries = std::find_if(run.links.begin(), run.links.end(),
                                    [](const LinkUse& link) { return link.bytes > 0; });
  if (carries != run.links.end()) curve.limit = *carries;
}

}  // namespace

std::optional<double> limit_GBps(const BusbwCurve& curve) {
  if (!curve.limit || curve.limit->utilization <= 0 || curve.collective.points.empty()) {
    return std::nullopt;
  }
  const auto largest =
      std::max_element(curve.collective.points.begin(), curve.collective.points.end(),
                       [](const auto& a, const auto& b) { return a.size < b.size; });
  return largest->busbw_GBps / std::min(curve.limit->utilization, 1.0);
}

BusbwCurve busbw_curve(const Value& document, const LayoutResult& layout, const Library& library,
                       const input::FileLoader& load, const RunSettings& settings) {
  constexpr std::size_t kRuns = 10;  ///< that it takes about as long as
  BusbwCurve curve;
  curve.layout = layout.name;
  if (layout.refused) {
    curve.left_out = "the layout is refused";
  } else if (layout.collective && layout.collective->points.size() >= kFewestPoints) {
    fill(layout, curve);
  } else if (layout.ranks < 2) {
    curve.left_out = "one GPU has no one to exchange with";
  } else if (!is_affordable(layout, kRuns)) {
    curve.left_out = "a collective of so many GPUs, of each size, would take too long";
  } else {
    const auto own = document_of_layout(document, layout.name);
    const auto run = own ? run_alone(with_collective(*own), library, load, settings) : std::nullopt;
    if (run && run->collective) {
      fill(*run, curve);
    } else {
      curve.left_out = "a bare collective does not run on this layout";
    }
  }
  return curve;
}

}  // namespace vgsim::scenario
