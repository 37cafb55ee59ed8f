#include "tools/probe/processes/job_devices.hpp"

#include <unistd.h>

#include <array>
#include <exception>
#include <set>
#include <utility>

#include "tools/probe/processes/job_messages.hpp"

namespace vgsim::probe {
namespace {

constexpr double kPatienceSeconds = 120;  // until all processes of a job have started
constexpr const char* kDone = "";         // any other answer says what went wrong

std::string machine_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

/// Throws what the first of the ranks that failed says, after all have answered.
void wait_for(std::vector<Connection>& others) {
  std::string failure;
  for (Connection& other : others) {
    const std::string answer = other.receive();
    if (answer != kDone && failure.empty()) failure = answer;
  }
  if (!failure.empty()) throw DeviceError(failure);
}

void tell(std::vector<Connection>& others, const JobCommand& command) {
  const std::string message = message_of(command);
  for (Connection& other : others) other.send(message);
}

/// A call of all ranks, timed by rank 0.
class JobCall : public PreparedWork {
 public:
  JobCall(std::vector<Connection>& others, DeviceLayer& own,
          const calibration::CollectiveCall& call, std::size_t gpu)
      : others_(others) {
    const std::string id = own.new_call_id();
    tell(others_, PrepareCall{call, id});
    std::exception_ptr failure;
    try {
      own_ = own.prepare_rank(call, {id, 0, gpu});
    } catch (const DeviceError&) {
      failure = std::current_exception();
    }
    wait_for(others_);
    if (failure) std::rethrow_exception(failure);
  }
  ~JobCall() override {
    try {
      tell(others_, DropCall{});
    } catch (const DeviceError&) {
      return;  // the next call says who is gone
    }
  }

  double seconds(std::size_t repeats) override {
    tell(others_, RunCall{repeats});
    const double taken = own_->seconds(repeats);
    wait_for(others_);
    return taken;
  }

 private:
  std::vector<Connection>& others_;
  std::unique_ptr<PreparedWork> own_;
};

}  // namespace

JobDevices::JobDevices(std::unique_ptr<DeviceLayer> own, const JobPlace& place)
    : own_(std::move(own)),
      gpu_(place.local_rank),
      others_(accept_all(place.leader_port, place.ranks - 1, kPatienceSeconds)) {
  std::set<std::string> machines{machine_name()};
  for (Connection& other : others_) machines.insert(other.receive());
  job_ = {place.ranks, machines.size()};
}

JobDevices::~JobDevices() {
  try {
    tell(others_, EndJob{});
  } catch (const DeviceError&) {
    return;  // who is gone needs no telling
  }
}

std::unique_ptr<PreparedWork> JobDevices::prepare(const calibration::DeviceWork& work) {
  const auto* call = std::get_if<calibration::CollectiveCall>(&work);
  if (call == nullptr || call->machines == 1) return own_->prepare(work);
  return std::make_unique<JobCall>(others_, *own_, *call, gpu_);
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
