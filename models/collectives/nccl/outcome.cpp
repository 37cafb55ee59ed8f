#include "models/collectives/nccl/outcome.hpp"

#include <utility>

#include "models/collectives/nccl/tuning/decided_communicator.hpp"

namespace vgsim::collectives::nccl {

Outcome outcome_of(std::string topology, const Machine& machine, std::size_t hosts,
                   const Constants& constants, const Settings& settings) {
  Outcome outcome;
  outcome.topology = std::move(topology);
  outcome.hosts = hosts;
  outcome.constants = with_settings(constants, settings);
  outcome.decision =
      decide({&machine, 1}, std::vector<std::size_t>(hosts, 0), settings, outcome.constants);
  outcome.ranks_per_host = static_cast<std::size_t>(outcome.decision.ranks()) / hosts;
  outcome.communicator = communicator_of(outcome.decision, settings, outcome.constants);
  outcome.costs = cost_table(outcome.communicator, outcome.constants, settings.filter);
  return outcome;
}

Call call_of(const Outcome& outcome, Function function, Bytes size) {
  Call call;
  call.size = size;
  call.candidates =
      candidates(outcome.costs, function, size, outcome.communicator, outcome.constants);
  if (call.candidates.empty()) return call;
  const Candidate& choice = call.candidates.front();
  call.work = split_work(function, choice.algorithm, choice.protocol, size, outcome.communicator,
                         outcome.constants);
  call.busbw_GBps = bus_bandwidth_of(function, size, choice.us, outcome.communicator.ranks);
  return call;
}

std::vector<Stretch> stretches_of(const Outcome& outcome, Function function) {
  std::vector<Stretch> stretches;
  for (int power = 2; power <= 34; ++power) {
    const Bytes size{std::int64_t{1} << power};
    const auto found =
        candidates(outcome.costs, function, size, outcome.communicator, outcome.constants);
    if (found.empty()) return {};
    const Candidate& choice = found.front();
    const bool same = !stretches.empty() && stretches.back().choice.algorithm == choice.algorithm &&
                      stretches.back().choice.protocol == choice.protocol;
    if (!same) stretches.push_back({size, size, choice});
    stretches.back().last = size;
    stretches.back().choice = choice;
  }
  return stretches;
}

}  // namespace vgsim::collectives::nccl
