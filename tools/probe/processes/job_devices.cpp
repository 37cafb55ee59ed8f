#include "tools/probe/processes/job_devices.hpp"

#include <unistd.h>

#include <array>
#include <exception>
#include <functional>
#include <set>
#include <utility>

#include "tools/probe/processes/job_messages.hpp"

namespace vgsim::probe {
namespace {

constexpr double kPatienceSeconds = 600;  // until all processes of a job have started
constexpr const char* kDone = "";         // any other answer is an error message

std::string machine_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

/// Throws the error of the first rank that failed, after all have answered.
void wait_for(std::vector<Connection>& others) {
  std::string failure;
  for (Connection& other : others) {
    const std::string answer = other.receive();
    if (answer != kDone && failure.empty()) failure = answer;
  }
  if (!failure.empty()) throw DeviceError(failure);
}

void send_all(std::vector<Connection>& others, const JobCommand& command) {
  const std::string message = message_of(command);
  for (Connection& other : others) other.send(message);
}

/// A call of all ranks, timed by rank 0. Clears `id` if a rank fails, as the communicator may
/// be broken in some of them.
///
/// Rank 0 sends every command to all ranks, and each of them answers.
class JobCall : public PreparedWork {
 public:
  JobCall(std::vector<Connection>& others, DeviceLayer& own,
          const calibration::CollectiveCall& call, std::size_t gpu, std::string& id)
      : others_(others), id_(id) {
    send_all(others_, PrepareCall{call, id});
    do_with_others([&] { own_ = own.prepare_rank(call, {id_, 0, gpu}); });
  }
  ~JobCall() override {
    try {
      send_all(others_, DropCall{});
    } catch (const DeviceError&) {
      return;  // the next call reports lost ranks
    }
  }

  double seconds(std::size_t repeats) override {
    send_all(others_, RunCall{repeats});
    double taken = 0;
    do_with_others([&] { taken = own_->seconds(repeats); });
    return taken;
  }

 private:
  /// Waits for the answers of the others also if rank 0 fails.
  void do_with_others(const std::function<void()>& own_part) {
    std::exception_ptr failure;
    try {
      own_part();
    } catch (const DeviceError&) {
      failure = std::current_exception();
    }
    try {
      wait_for(others_);
      if (failure) std::rethrow_exception(failure);
    } catch (const DeviceError&) {
      id_.clear();
      throw;
    }
  }

  std::vector<Connection>& others_;
  std::string& id_;
  std::unique_ptr<PreparedWork> own_;
};

/// Whether calls differ only in operation and size.
bool share_ranks(const calibration::CollectiveCall& a, const calibration::CollectiveCall& b) {
  return a.gpus == b.gpus && a.machines == b.machines && a.algorithm == b.algorithm &&
         a.protocol == b.protocol;
}

}  // namespace

JobDevices::JobDevices(std::unique_ptr<DeviceLayer> own, const JobPlace& place, Listener& listener)
    : own_(std::move(own)),
      gpu_(place.local_rank),
      others_(listener.accept_all(place.ranks - 1, kPatienceSeconds)) {
  std::set<std::string> machines{machine_name()};
  for (Connection& other : others_) machines.insert(other.receive());
  job_ = {place.ranks, machines.size()};
}

JobDevices::~JobDevices() {
  try {
    send_all(others_, EndJob{});
  } catch (const DeviceError&) {
    return;  // lost ranks need no message
  }
}

std::unique_ptr<PreparedWork> JobDevices::prepare(const calibration::DeviceWork& work) {
  const auto* call = std::get_if<calibration::CollectiveCall>(&work);
  if (call == nullptr || call->machines == 1) return own_->prepare(work);
  if (call_id_.empty() || !share_ranks(last_call_, *call)) call_id_ = own_->new_call_id();
  last_call_ = *call;
  return std::make_unique<JobCall>(others_, *own_, *call, gpu_, call_id_);
}

void follow(DeviceLayer& devices, const JobPlace& place) {
  Connection leader = connect_to(place.leader_address, place.leader_port, kPatienceSeconds);
  leader.send(machine_name());
  std::unique_ptr<PreparedWork> work;
  while (true) {
    const JobCommand command = command_of(leader.receive());
    if (std::holds_alternative<EndJob>(command)) return;
    if (std::holds_alternative<DropCall>(command)) {
      work.reset();
      continue;
    }
    std::string answer = kDone;
    try {
      if (const auto* prepare = std::get_if<PrepareCall>(&command)) {
        work = devices.prepare_rank(prepare->call, {prepare->id, place.rank, place.local_rank});
      } else if (const auto* run = std::get_if<RunCall>(&command); run != nullptr && work) {
        static_cast<void>(work->seconds(run->repeats));
      }
    } catch (const DeviceError& error) {
      answer = error.what();
    }
    leader.send(answer);
  }
}

}  // namespace vgsim::probe
