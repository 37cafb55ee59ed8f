#include "sim/time_slicing.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <deque>
#include <stdexcept>
#include <vector>

#include "sim/engine.hpp"

namespace vgsim {
namespace time_slicing_test {

constexpr std::int64_t kMicrosecond = 1'000'000;

SimTime us(std::int64_t microseconds) { return SimTime{microseconds * kMicrosecond}; }

/// A tenant waits for `gap`, then submits `work`.
struct Burst {
  std::int64_t gap = 0;
  std::int64_t work = 1;
};

/// Tenants and their work, in whole microseconds.
struct Mix {
  SlicePolicy policy = SlicePolicy::kWorkConserving;
  std::int64_t slice = 100;
  std::int64_t switching = 0;
  std::size_t slots = 0;
  std::size_t first = 0;
  struct Member {
    std::int64_t kernel = 0;
    std::int64_t busy = 0;  ///< of a background load; 0 for a tenant with `bursts`
    std::int64_t period = 0;
    std::int64_t phase = 0;
    std::vector<Burst> bursts;
    bool concurrent = false;  ///< its bursts use the collective lane of the previous member
  };
  std::vector<Member> members;
};

/// Reference simulation in steps of one microsecond.
class ReferenceSimulation {
 public:
  explicit ReferenceSimulation(const Mix& mix) : mix_(mix), members_(mix.members.size()) {
    for (int m = 0; m < static_cast<int>(members_.size()); ++m) {
      const Mix::Member& from = mix.members[static_cast<std::size_t>(m)];
      if (!from.bursts.empty()) at(m).waits = from.bursts[0].gap;
      if (from.concurrent) {
        slots_.back().push_back(m);
      } else {
        slots_.push_back({m});
      }
    }
  }

  /// When each burst of each member ends.
  std::vector<std::vector<std::int64_t>> ends() {
    std::vector<std::vector<std::int64_t>> result(members_.size());
    if (mix_.policy == SlicePolicy::kFixedSlots) {
      holder_ = static_cast<int>(mix_.first);
      left_ = mix_.slice;
    }
    for (std::int64_t now = 0; !all_done(); ++now) {
      arrive(now);
      decide();
      serve();
      for (std::size_t m = 0; m < members_.size(); ++m) {
        Member& member = members_[m];
        if (!member.ended) continue;
        member.ended = false;
        if (mix_.members[m].bursts.empty()) continue;
        result[m].push_back(now + 1);
        if (++member.next < mix_.members[m].bursts.size()) {
          member.waits = mix_.members[m].bursts[member.next].gap;
        }
      }
    }
    return result;
  }

 private:
  struct Member {
    std::deque<std::int64_t> works;
    std::int64_t served = 0;  ///< of the first of them
    std::int64_t waits = -1;  ///< until its next burst
    std::int64_t overrun = 0;
    std::size_t next = 0;
    bool ended = false;
  };

  Member& at(int member) { return members_[static_cast<std::size_t>(member)]; }
  int slots() const { return static_cast<int>(slots_.size()); }
  const std::vector<int>& members_of(int slot) const {
    return slots_[static_cast<std::size_t>(slot)];
  }

  bool all_done() const {
    for (std::size_t m = 0; m < members_.size(); ++m) {
      if (members_[m].next < mix_.members[m].bursts.size()) return false;
    }
    return true;
  }

  void arrive(std::int64_t now) {
    for (std::size_t m = 0; m < members_.size(); ++m) {
      const Mix::Member& from = mix_.members[m];
      Member& member = members_[m];
      if (from.busy > 0 && now >= from.phase && (now - from.phase) % from.period == 0) {
        member.works.push_back(from.busy);
      }
      if (member.waits == 0) member.works.push_back(from.bursts[member.next].work);
      if (member.waits >= 0) --member.waits;
    }
  }

  bool has_work(int slot) {
    if (slot < 0 || slot >= slots()) return false;
    const auto& members = members_of(slot);
    return std::any_of(members.begin(), members.end(),
                       [&](int member) { return !at(member).works.empty(); });
  }

  bool in_kernel() {
    if (!began_ || holder_ < 0 || holder_ >= slots()) return false;
    const int m = members_of(holder_)[0];
    const std::int64_t kernel = mix_.members[static_cast<std::size_t>(m)].kernel;
    return kernel > 0 && !at(m).works.empty() && at(m).served % kernel != 0;
  }

  void begin() {
    began_ = true;
    switching_ = worked_last_ >= 0 && worked_last_ != holder_ ? mix_.switching : 0;
    worked_last_ = holder_;
  }

  void decide() {
    if (in_kernel()) return;
    if (mix_.policy == SlicePolicy::kFixedSlots) {
      while (left_ <= 0) {
        if (holder_ < slots()) at(members_of(holder_)[0]).overrun -= left_;
        holder_ = (holder_ + 1) % std::max(static_cast<int>(mix_.slots), slots());
        left_ = mix_.slice;
        began_ = false;
        if (holder_ >= slots()) continue;
        std::int64_t& owed = at(members_of(holder_)[0]).overrun;
        const std::int64_t taken = std::min(owed, left_);
        owed -= taken;
        left_ -= taken;
      }
      if (!began_ && has_work(holder_)) begin();
      return;
    }
    if (has_work(holder_) && left_ > 0) return;
    const int from = holder_ >= 0        ? holder_
                     : worked_last_ >= 0 ? worked_last_
                                         : static_cast<int>(mix_.first) - 1;
    int next = -1;
    for (int i = 1; i <= slots() && next < 0; ++i) {
      if (has_work((from + i + slots()) % slots())) next = (from + i + slots()) % slots();
    }
    left_ = mix_.slice;
    if (next == holder_ && next >= 0) return;  // no other tenant has work
    holder_ = next;
    if (next >= 0) begin();
  }

  void serve() {
    --left_;
    if (!began_ || !has_work(holder_)) return;
    if (switching_ > 0) {
      --switching_;
      return;
    }
    for (const int m : members_of(holder_)) {
      Member& member = at(m);
      if (member.works.empty()) continue;
      ++member.served;
      if (--member.works.front() > 0) continue;
      member.works.pop_front();
      member.served = 0;
      member.ended = true;
    }
  }

  const Mix& mix_;
  std::vector<Member> members_;
  std::vector<std::vector<int>> slots_;  ///< members: kernels, then collectives
  int holder_ = -1;
  int worked_last_ = -1;
  bool began_ = false;
  std::int64_t left_ = 0;
  std::int64_t switching_ = 0;
};

/// The same in the engine: each burst is a task that waits and a task that works.
std::vector<std::vector<std::int64_t>> ends_in_engine(const Mix& mix) {
  TaskGraph graph;
  RunOptions options;
  SlicedDevice& device = options.slicing.devices.emplace_back();
  device.policy = mix.policy;
  device.slice = us(mix.slice);
  device.switching = us(mix.switching);
  device.slots = mix.slots;
  device.first = mix.first;
  std::vector<std::vector<TaskId>> tasks;
  for (const Mix::Member& member : mix.members) {
    if (!member.concurrent) {
      Tenant& tenant = device.tenants.emplace_back();
      tenant.kernel = us(member.kernel);
      if (member.busy > 0) tenant.load = {us(member.busy), us(member.period), us(member.phase)};
    }
    const auto tenant = static_cast<std::uint32_t>(device.tenants.size() - 1);
    std::vector<TaskId>& own = tasks.emplace_back();
    for (const Burst& burst : member.bursts) {
      const TaskId gap = graph.add({us(burst.gap), std::nullopt});
      const TaskId work = graph.add({us(burst.work), std::nullopt});
      if (!own.empty()) graph.depend(own.back(), gap);
      graph.depend(gap, work);
      own.push_back(work);
      options.slicing.slots.resize(graph.size());
      options.slicing.slots[index(work)] = {
          0, tenant, member.concurrent ? WorkLane::kCollectives : WorkLane::kKernels};
    }
  }
  const Timeline timeline = simulate(graph, {}, options);
  std::vector<std::vector<std::int64_t>> ends;
  for (const auto& own : tasks) {
    auto& of_member = ends.emplace_back();
    for (const TaskId task : own) {
      const std::int64_t end = timeline.task(task).end.count();
      EXPECT_EQ(end % kMicrosecond, 0);
      of_member.push_back(end / kMicrosecond);
    }
  }
  return ends;
}

/// `each` bursts of `work` for each of `tenants`, without gaps.
Mix saturated(SlicePolicy policy, std::int64_t slice, std::size_t tenants, std::int64_t work,
              std::size_t each) {
  Mix mix{policy, slice, 0, tenants, 0, {}};
  mix.members.resize(tenants);
  for (Mix::Member& member : mix.members) member.bursts.assign(each, {0, work});
  return mix;
}

TEST(TimeSlicer, EqualTenantsGetEqualShares) {
  for (const std::int64_t slice : {1'000, 2'000, 5'000, 30'000}) {
    for (const SlicePolicy policy : {SlicePolicy::kWorkConserving, SlicePolicy::kFixedSlots}) {
      const Mix mix = saturated(policy, slice, 3, 10'000, 60);
      for (const auto& ends : ends_in_engine(mix)) {
        // 60 bursts of 10 ms for each of three: 1.8 s, minus up to one slice of the other tenants.
        EXPECT_NEAR(static_cast<double>(ends.back()), 1.8e6, 2.0 * static_cast<double>(slice));
      }
    }
  }
}

TEST(TimeSlicer, IdleTimeIsUsedOnlyByTheWorkConservingPolicy) {
  Mix mix = saturated(SlicePolicy::kWorkConserving, 2'000, 2, 10'000, 10);
  mix.members[1].bursts = {{1'000'000, 1}};  // idle for a second
  EXPECT_EQ(ends_in_engine(mix)[0].back(), 100'000);
  mix.policy = SlicePolicy::kFixedSlots;
  EXPECT_EQ(ends_in_engine(mix)[0].back(), 198'000);  // its slots: 0 to 2 ms, 4 to 6 ms, ...
  mix.slots = 4;                                      // two of them empty
  EXPECT_EQ(ends_in_engine(mix)[0].back(), 49 * 8'000 + 2'000);
}

TEST(TimeSlicer, SwitchingCostsItsShareOfASlice) {
  Mix mix = saturated(SlicePolicy::kWorkConserving, 2'000, 4, 100'000, 10);
  mix.switching = 200;
  // 4 x 1 s of work in slices of 1.8 ms within 2 ms, the first without switching.
  EXPECT_NEAR(static_cast<double>(ends_in_engine(mix)[3].back()), 4e6 / 0.9, 10'000);
}

TEST(TimeSlicer, AKernelIsNotPreemptedAndItsOverrunIsDeductedFromTheNextSlot) {
  Mix mix = saturated(SlicePolicy::kFixedSlots, 1'000, 2, 3'000, 40);
  mix.members[0].kernel = 3'000;
  const auto ends = ends_in_engine(mix);
  EXPECT_EQ(ends[0][0], 3'000);  // not preempted
  // Both have 120 ms of work: each gets half of the device on average.
  EXPECT_NEAR(static_cast<double>(ends[0].back()), 240'000, 5'000);
  EXPECT_NEAR(static_cast<double>(ends[1].back()), 240'000, 5'000);
}

TEST(TimeSlicer, CollectivesProceedInTheSlicesOfTheirKernels) {
  Mix mix = saturated(SlicePolicy::kWorkConserving, 1'000, 2, 10'000, 10);
  mix.members.insert(mix.members.begin() + 1, Mix::Member{});
  mix.members[1].concurrent = true;
  mix.members[1].bursts = {{0, 50'000}};
  const auto ends = ends_in_engine(mix);
  EXPECT_EQ(ends[0].back(), 199'000);  // as without it: the first of every two milliseconds
  EXPECT_EQ(ends[1].back(), 99'000);
}

TEST(TimeSlicer, ABackgroundLoadTakesItsShareOfTheDevice) {
  Mix mix = saturated(SlicePolicy::kWorkConserving, 1'000, 1, 10'000, 100);
  mix.members.push_back({0, 200, 1'000, 0, {}});
  // The load takes a fifth of the device: 1 s of work takes 1.25 s.
  EXPECT_NEAR(static_cast<double>(ends_in_engine(mix)[0].back()), 1.25e6, 2'000);
}

TEST(TimeSlicer, RefusesInvalidDevices) {
  SlicedDevice device;
  device.tenants.resize(2);
  device.slice = us(2);
  device.switching = us(2);
  EXPECT_THROW(TimeSlicer{device}, std::invalid_argument);
  device.switching = us(1);
  device.first = 2;
  EXPECT_THROW(TimeSlicer{device}, std::invalid_argument);
  device.first = 0;
  device.tenants[0].load = BackgroundLoad{us(1), us(0), us(0)};
  EXPECT_THROW(TimeSlicer{device}, std::invalid_argument);
}

RC_GTEST_PROP(TimeSlicerProperties, AgreesWithTheReferenceSimulation, ()) {
  const auto pick = [](int low, int high) { return *rc::gen::inRange(low, high + 1); };
  Mix mix;
  mix.policy = pick(0, 1) == 0 ? SlicePolicy::kWorkConserving : SlicePolicy::kFixedSlots;
  mix.slice = pick(5, 60);
  mix.switching = pick(0, 4);
  const int tenants = pick(1, 4);
  mix.slots =
      static_cast<std::size_t>(tenants + (mix.policy == SlicePolicy::kFixedSlots ? pick(0, 2) : 0));
  mix.first = static_cast<std::size_t>(pick(0, static_cast<int>(mix.slots) - 1));
  for (int t = 0; t < tenants; ++t) {
    Mix::Member& member = mix.members.emplace_back();
    member.kernel = pick(0, 2) == 0 ? 0 : pick(1, 40);
    if (t > 0 && pick(0, 2) == 0) {
      member.period = pick(20, 200);
      member.busy = pick(1, static_cast<int>(member.period) / 2);
      member.phase = pick(0, 50);
      continue;
    }
    const int bursts = pick(1, 6);
    for (int b = 0; b < bursts; ++b) {
      member.bursts.push_back({pick(0, 2) == 0 ? 0 : pick(1, 80), pick(1, 150)});
    }
    if (pick(0, 2) > 0) continue;
    Mix::Member& concurrent = mix.members.emplace_back();
    concurrent.concurrent = true;
    concurrent.bursts = {{pick(0, 50), pick(1, 150)}, {pick(0, 50), pick(1, 50)}};
  }
  RC_ASSERT(ends_in_engine(mix) == ReferenceSimulation(mix).ends());
}

}  // namespace time_slicing_test
}  // namespace vgsim
