#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "sim/units.hpp"

namespace vgsim {

/// How a device that several tenants share is scheduled.
enum class SlicePolicy : std::uint8_t {
  kWorkConserving,  ///< work-conserving round robin over tenants with work; a slice ends early
                    ///< without work
  kFixedSlots,      ///< round robin over all slots, also those of tenants without work
};

/// Background work of a tenant: `busy` of it arrives every `period`, first at `phase`, whether or
/// not earlier work is done. A tenant with busy >= period always has work.
struct BackgroundLoad {
  SimTime busy{};
  SimTime period{};
  SimTime phase{};
};

struct Tenant {
  /// Length of its kernels, which are not preempted: a slice ends only between two. 0: anywhere.
  SimTime kernel{};
  std::optional<BackgroundLoad> load;
};

/// A device that serves one tenant at a time.
struct SlicedDevice {
  SlicePolicy policy = SlicePolicy::kWorkConserving;
  SimTime slice{};      ///< of one tenant, longer than `switching`
  SimTime switching{};  ///< context switch at the start of a slice, from one tenant to another
  std::vector<Tenant> tenants;
  std::size_t slots = 0;  ///< of the round (kFixedSlots): those of `tenants`, then empty ones
  std::size_t first = 0;  ///< slot that holds the device at time 0
};

/// Work of one tenant that proceeds concurrently while it holds the device: kernels, which are not
/// preempted, and collectives. Work within one lane is sequential.
enum class WorkLane : std::uint8_t { kKernels, kCollectives };

/// Simulates the time slices on one device.
///
/// A slice includes switching and lasts until the end of the kernel during which its time expires.
/// With kWorkConserving, a tenant starts another slice at once if no other tenant has work, and
/// releases the device when its own work ends. With kFixedSlots, a slot stays idle while its tenant
/// has no work, and the overrun of a kernel is deducted from the tenant's next slot.
///
/// At one time, ends of work precede arrivals, and both precede scheduling: a tenant whose next
/// work arrives when its last one ends keeps the device.
class TimeSlicer {
 public:
  /// Throws std::invalid_argument for a slice that is not longer than switching, a first slot out
  /// of range, negative times, or a load whose period is not positive.
  explicit TimeSlicer(SlicedDevice device);

  /// Adds work of positive length for a tenant; `id` identifies it when it ends. Not before time().
  void submit(std::size_t tenant, WorkLane lane, std::uint32_t id, SimTime work);
  /// Time of the next event, scheduled as of time(); nothing without submitted work.
  [[nodiscard]] std::optional<SimTime> next();
  /// Advances to a later time, at most next() if that exists, and appends the ids of work that
  /// ends.
  void advance(SimTime to, std::vector<std::uint32_t>& ended);
  [[nodiscard]] SimTime time() const { return now_; }

 private:
  struct Work {
    std::optional<std::uint32_t> id;  ///< nothing: background work
    SimTime left{};
    SimTime served{};
  };
  struct Queue {
    std::array<std::deque<Work>, 2> lanes;  ///< by WorkLane
    SimTime overrun{};                      ///< to deduct from its next slot
    SimTime next_arrival{};                 ///< of its background load
  };

  [[nodiscard]] bool has_work(std::size_t slot) const;
  [[nodiscard]] const Work* kernels_of_holder() const;
  [[nodiscard]] bool is_in_kernel() const;
  [[nodiscard]] bool others_wait() const;
  [[nodiscard]] SimTime end_of_slice() const;
  [[nodiscard]] SimTime next_event() const;
  void take_arrivals();
  void schedule();
  void schedule_fixed_slots();
  void schedule_work_conserving();
  void begin_slice(std::size_t slot, SimTime length);
  void begin_work();
  void step(SimTime to, std::vector<std::uint32_t>& ended);

  SlicedDevice device_;
  std::vector<Queue> queues_;
  SimTime now_{};
  std::optional<std::size_t> holder_;  ///< slot
  std::optional<std::size_t> last_;    ///< tenant that was served last
  SimTime slice_end_{};
  SimTime ready_{};            ///< end of switching
  bool working_ = false;       ///< the holder has started to work in this slice
  std::size_t submitted_ = 0;  ///< submitted work that is not done
};

}  // namespace vgsim
