#include "models/scenario/build/input_feeds.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "models/collectives/hop.hpp"
#include "models/scenario/build/remote_feed.hpp"
#include "models/scenario/read/library.hpp"
#include "models/vsphere/cpu_budget.hpp"

namespace vgsim::scenario {
namespace {

using collectives::PlacedNetwork;
using training::InputFeed;

/// Common paths of ranks on the same GPU of the same kind of VM.
struct WaysOfInput {
  std::optional<collectives::SharedPath> storage_read;
  std::vector<Crossing> core_time;
  std::optional<collectives::SharedPath> host_to_device;
  std::optional<Ratio> copy_cap;  ///< bytes/s
  SimTime copy_latency{};
};

class InputFeeds {
 public:
  InputFeeds(const Placement& placement, const Library& library, input::Diagnostics& diagnostics)
      : placement_(placement),
        training_(*placement.job.training),
        library_(library),
        diagnostics_(diagnostics) {}

  InputFeed of(const RankClass& rank, PlacedNetwork& placed) {
    if (view(rank).vm().remote_client) return feed_over_network(rank, placed);
    const auto [ways, is_new] = ways_.try_emplace({placement_.vms()[rank.vm].view, rank.gpu});
    if (is_new) add_ways(rank, ways->second);
    return feed(rank, ways->second, placed);
  }

 private:
  void add_ways(const RankClass& rank, WaysOfInput& ways) {
    const collectives::HopPlanner& planner =
        planners_
            .try_emplace(placement_.vms()[rank.vm].view, placement_.cluster->topology, view(rank))
            .first->second;
    const training::InputPipeline& input = training_.input;
    if (training_.stored_bytes > Bytes{0} && !input.cached) {
      ways.storage_read =
          input.direct ? planner.storage_to_device(rank.gpu) : planner.storage_to_host(rank.gpu);
    }
    ways.core_time = planner.core_time();
    if (copied_bytes() > Bytes{0} && !input.direct) {
      ways.host_to_device = planner.host_to_device(rank.gpu);
      ways.copy_cap = copy_cap(view(rank), *ways.host_to_device);
      if (!placement_.cluster->idealised.zero_latency) {
        ways.copy_latency = planner.host_to_device_latency(rank.gpu);
      }
    }
  }

  /// Bytes copied per sample: samples not decoded by the CPU are copied in stored form.
  [[nodiscard]] Bytes copied_bytes() const {
    return training_.input.by_gpu ? training_.stored_bytes : training_.network->device_bytes;
  }

  /// Rate limit of a copy: of the slowest PCIe link on the path the share that the IOMMU lets
  /// through, and that a GPU reaches in the memory of another socket.
  [[nodiscard]] std::optional<Ratio> copy_cap(const vsphere::GuestView& view,
                                              const collectives::SharedPath& path) const {
    const Cluster& cluster = *placement_.cluster;
    if (!view.vm().mode->is_virtual || cluster.idealised.zero_overhead) return std::nullopt;
    double share = 1.0;
    if (!cluster.inventory[view.vm().host].settings.bios.ats) {
      share = library_.parameters.number("iommu_copy_share");
    }
    if (path.remote_parts > 0) {
      const double remote = remote_copy_share(view.vm().host);
      const double part = static_cast<double>(path.remote_parts) / static_cast<double>(path.parts);
      share *= 1.0 / (1.0 - part + part / remote);
    }
    if (share == 1.0) return std::nullopt;
    std::optional<Ratio> slowest;
    for (const Crossing& c : path.crossings) {
      const auto link = static_cast<std::size_t>(c.resource);
      if (cluster.topology.resources[link].kind != topology::LinkKind::kPcie) continue;
      const Ratio& capacity = placement_.capacities.of_link[link];
      if (!slowest || capacity < *slowest) slowest = capacity;
    }
    if (!slowest) return std::nullopt;
    return *slowest * exact_share(share);
  }

  /// CPUs with PCIe 3.0 forward reads of the other socket's memory more slowly than later ones.
  [[nodiscard]] double remote_copy_share(std::size_t host) const {
    const auto cpu =
        library_.catalog->cpus.find(placement_.cluster->topology.hosts[host].cpu_model);
    const bool old = cpu != library_.catalog->cpus.end() && cpu->second.pcie_generation == 3;
    return library_.parameters.number(old ? "remote_copy_share_gen3" : "remote_copy_share");
  }

  /// For a rank with a remote GPU.
  InputFeed feed_over_network(const RankClass& rank, PlacedNetwork& placed) {
    const auto remote = remote_feed(*placement_.cluster, placement_.machine_of_vm[rank.vm],
                                    rank.gpu, placement_.job.origin, diagnostics_);
    InputFeed feed;
    if (!remote) return feed;
    const auto at_client = [&](const std::vector<Crossing>& crossings, const Ratio& per_sample) {
      PlacedNetwork::Route path(placed);
      path.cross(remote->client, crossings);
      return FlowWork{std::move(path).of_each_host(), per_sample * samples_of_rank(), std::nullopt,
                      1};
    };
    if (training_.stored_bytes > Bytes{0} && !training_.input.cached &&
        !remote->storage_read.empty()) {
      feed.storage_read = at_client(remote->storage_read, Ratio(training_.stored_bytes.count()));
    }
    if (core_time() > 0) feed.decode = at_client(remote->core_time, core_time());
    if (copied_bytes() > Bytes{0}) {
      PlacedNetwork::Route path(placed);
      path.cross(remote->client, remote->leaving);
      path.cross(remote->fabric);
      path.cross(placement_.vms()[rank.vm].host, remote->arriving);
      feed.host_to_device =
          FlowWork{std::move(path).of_each_host(),
                   Ratio(copied_bytes().count()) * samples_of_rank(), std::nullopt, 1};
      if (!placement_.cluster->idealised.zero_latency) feed.copy_latency = remote->fabric.latency;
    }
    return feed;
  }

  /// CPU time per sample in picoseconds, with all memory on the node of the CPU.
  [[nodiscard]] Ratio core_time() const {
    const Ratio all(training_.input.core_time.count());
    if (!training_.input.by_gpu) return all;
    return all * exact_share(library_.parameters.number("gpu_decode_core_share"));
  }

  /// The same in the VM of a rank, part of whose memory may be on other nodes.
  [[nodiscard]] Ratio core_time(const RankClass& rank) const {
    const double remote = view(rank).vm().numa.remote_accesses;
    if (remote == 0.0 || placement_.cluster->idealised.zero_overhead) return core_time();
    const double factor = library_.parameters.number("remote_memory_work_factor");
    return core_time() * exact_share(1.0 + remote * (factor - 1.0));
  }

  InputFeed feed(const RankClass& rank, const WaysOfInput& ways, PlacedNetwork& placed) const {
    const std::size_t host = placement_.vms()[rank.vm].host;
    const auto work = [&](const std::vector<Crossing>& crossings, const Ratio& per_sample,
                          const std::optional<Ratio>& cap) {
      PlacedNetwork::Route path(placed);
      path.cross(host, crossings);
      return FlowWork{std::move(path).of_each_host(), per_sample * samples_of_rank(), cap, 1};
    };
    const auto copy = [&](const collectives::SharedPath& path, Bytes per_sample,
                          const std::optional<Ratio>& cap) {
      return work(path.crossings, Ratio(per_sample.count()) / path.parts, cap);
    };
    const training::InputPipeline& input = training_.input;
    InputFeed feed;
    if (ways.storage_read) {
      feed.storage_read = copy(*ways.storage_read, training_.stored_bytes, std::nullopt);
    }
    if (core_time() > 0) {
      std::optional<Ratio> cap;
      if (input.workers) cap = Ratio(*input.workers) * vsphere::kCorePicosecondsPerSecond;
      feed.decode = work(ways.core_time, core_time(rank), cap);
    }
    if (ways.host_to_device) {
      feed.host_to_device = copy(*ways.host_to_device, copied_bytes(), ways.copy_cap);
      feed.copy_latency = ways.copy_latency;
    }
    return feed;
  }

  /// Per iteration.
  [[nodiscard]] std::int64_t samples_of_rank() const {
    return training_.parallelism.samples_of_rank();
  }

  [[nodiscard]] const vsphere::GuestView& view(const RankClass& rank) const {
    return placement_.views()[placement_.vms()[rank.vm].view];
  }

  const Placement& placement_;
  const training::TrainingJob& training_;
  const Library& library_;
  input::Diagnostics& diagnostics_;
  std::map<std::pair<std::size_t, std::size_t>, WaysOfInput> ways_;  ///< by view and GPU
  std::map<std::size_t, collectives::HopPlanner> planners_;          ///< by view
};

}  // namespace

std::vector<training::UnitFeed> input_feeds(
    const Placement& placement, const Library& library,
    const std::vector<std::pair<std::size_t, std::size_t>>& readers,
    collectives::PlacedNetwork& placed, input::Diagnostics& diagnostics) {
  InputFeeds feeds(placement, library, diagnostics);
  std::vector<training::UnitFeed> result;
  for (const auto& [rank, unit] : readers) {
    InputFeed feed = feeds.of(rank_class(placement, rank), placed);
    if (feed.any()) result.push_back({unit, std::move(feed)});
  }
  return result;
}

}  // namespace vgsim::scenario
