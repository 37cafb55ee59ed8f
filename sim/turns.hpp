#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "sim/units.hpp"

namespace vgsim {

/// Who has a device that several tenants use in turns.
enum class TurnRule : std::uint8_t {
  kWithWork,  ///< round robin over those that have work; a turn ends early with the work
  kSlots,     ///< round robin over all seats, whether their tenants have work or not
};

/// Work that comes to a tenant by itself: `busy` of it every `period`, the first at `phase`,
/// whether what came before is done or not. A tenant that is busy all the period always has work.
struct TurnLoad {
  SimTime busy{};
  SimTime period{};
  SimTime phase{};
};

struct Tenant {
  /// Of its kernels, which are not cut: it gives the device back between two of them. 0: anywhere.
  SimTime kernel{};
  std::optional<TurnLoad> load;
};

/// A device that works for one tenant at a time.
struct TurnDevice {
  TurnRule rule = TurnRule::kWithWork;
  SimTime slice{};      ///< of a turn, longer than `switching`
  SimTime switching{};  ///< at the beginning of a turn, from the work of one tenant to another's
  std::vector<Tenant> tenants;
  std::size_t seats = 0;  ///< that get a slot (kSlots): those of `tenants`, and empty ones
  std::size_t first = 0;  ///< seat whose turn it is at time 0
};

/// Work of one tenant that goes on side by side while it has the device: kernels, which are not
/// cut, and collectives beside them. In each lane one after the other.
enum class TurnLane : std::uint8_t { kKernels, kBeside };

/// Plays the turns on one device.
///
/// A turn lasts a slice, switching included, and until the end of the kernel that the slice ends
/// in. With kWithWork, a tenant that has nobody to give the device to begins another slice at once;
/// one that runs out of work gives it up. With kSlots, a slot passes unused as far as its tenant
/// has no work, and what a kernel took too long is taken from the tenant's next slot.
///
/// At one time, work that ends comes before work that arrives, and both before the decision whose
/// turn it is: a tenant whose next work comes when its last one ends keeps the device.
class Turns {
 public:
  /// Throws std::invalid_argument for a slice that is not longer than switching, a first seat or
  /// seats that do not fit the tenants, negative times, or a load whose period is not positive.
  explicit Turns(TurnDevice device);

  /// Brings work of positive length to a tenant: `id` is told when it ends. Not before time().
  void submit(std::size_t tenant, TurnLane lane, std::uint32_t id, SimTime work);
  /// When something happens next, decided as of time(); nothing where no work that was submitted
  /// is left.
  [[nodiscard]] std::optional<SimTime> next();
  /// Goes on to a later time, no later than next() unless that is nothing, and adds what ends
  /// there.
  void advance(SimTime to, std::vector<std::uint32_t>& ended);
  [[nodiscard]] SimTime time() const { return now_; }

 private:
  struct Work {
    std::optional<std::uint32_t> id;  ///< nothing: of the tenant's load
    SimTime left{};
    SimTime served{};
  };
  struct Queue {
    std::array<std::deque<Work>, 2> lanes;  ///< by TurnLane
    SimTime overrun{};                      ///< to be taken from its next slot
    SimTime next_arrival{};                 ///< of its load
  };

  [[nodiscard]] bool has_work(std::size_t seat) const;
  [[nodiscard]] const Work* kernels_of_holder() const;
  [[nodiscard]] bool is_in_kernel() const;
  [[nodiscard]] bool others_wait() const;
  [[nodiscard]] SimTime end_of_turn() const;
  [[nodiscard]] SimTime next_event() const;
  void take_arrivals();
  void decide();
  void decide_slots();
  void decide_with_work();
  void begin_turn(std::size_t seat, SimTime length);
  void begin_work();
  void step(SimTime to, std::vector<std::uint32_t>& ended);

  TurnDevice device_;
  std::vector<Queue> queues_;
  SimTime now_{};
  std::optional<std::size_t> holder_;  ///< seat
  std::optional<std::size_t> last_;    ///< tenant that worked last
  SimTime slice_end_{};
  SimTime ready_{};            ///< switching is over
  bool works_ = false;         ///< the holder has begun to work in this turn
  std::size_t submitted_ = 0;  ///< work that is left
};

}  // namespace vgsim
