#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/collectives/nccl/read/releases.hpp"
#include "models/collectives/nccl/settings.hpp"
#include "models/collectives/transport.hpp"
#include "models/questions/explain/changes/change_context.hpp"
#include "models/questions/explain/changes/nccl_paths.hpp"
#include "models/scenario/read/library.hpp"

namespace vgsim::scenario {
namespace {

namespace nccl = collectives::nccl;

/// Whether the fabric's switch has in-network reduction (SHARP).
bool reduces(const ChangeContext& at) {
  const auto& switches = at.library.catalog->switches;
  const auto& fabric = layout_of(at).fabric;
  if (!fabric || !(*fabric)->network_switch) return false;
  const auto model = switches.find(**(*fabric)->network_switch);
  return model != switches.end() && model->second.reduces;
}

/// Whether a variable of NCCL has an effect in this model.
bool is_modelled(const std::string& name) {
  static const std::vector<std::string> names = nccl::setting_names();
  return std::ranges::binary_search(names, name) && !nccl::is_without_effect(name);
}

using Variables = std::vector<std::pair<std::string, std::string>>;

class NcclChanges {
 public:
  NcclChanges(const ChangeContext& at, std::vector<Change>& changes)
      : at_(at), job_(*layout_of(at).job), paths_(nccl_paths(at)), changes_(changes) {}

  /// Each only where it can matter: a variable that opens paths only if NCCL does not use them, one
  /// of the network only for several nodes, one that this model ignores never.
  void add_all() {
    add_defaults();
    add_releases();
    add_runner_up();
    add_inside_nodes();
    if (paths_.several_nodes) {
      add_gpudirect();
      add_relays();
      add_network();
    }
    add_channels();
    add_pattern();
  }

 private:
  [[nodiscard]] const std::string* value_of(const std::string& name) const {
    const auto found = job_.nccl.variables.find(name);
    return found == job_.nccl.variables.end() ? nullptr : &*found->second;
  }

  [[nodiscard]] std::int64_t number_of(const std::string& name, std::int64_t unset) const {
    const std::string* text = value_of(name);
    std::int64_t number = unset;
    if (text != nullptr) std::from_chars(text->data(), text->data() + text->size(), number);
    return number;
  }

  [[nodiscard]] bool crosses(collectives::Transport transport) const {
    return at_.result.hops_by_transport.contains(collectives::to_string(transport));
  }

  /// The variables with an effect in this model and another value, unless there are none.
  void add(const std::string& title, const Variables& variables, std::vector<std::string> needs) {
    Change change{"nccl-variable", {}, {}, std::move(needs), {}, false};
    std::vector<std::string> settings;
    for (const auto& [name, value] : variables) {
      const std::string* now = value_of(name);
      if (!is_modelled(name) || (now != nullptr && *now == value)) continue;
      settings.push_back(fmt::format("{}={}", name, value));
      change.overrides.push_back(set_text(fmt::format("/job/nccl/{}", name), value));
    }
    change.title = fmt::format("{} ({})", title, fmt::join(settings, ", "));
    add_if_any(std::move(change), changes_);
  }

  void add_defaults() {
    const auto leave_out = [&](const std::string& name, std::string title) {
      changes_.push_back({"nccl-default",
                          std::move(title),
                          {take_away(fmt::format("/job/nccl/{}", name))},
                          {},
                          {},
                          false});
    };
    if (job_.nccl.version) leave_out("version", "the newest NCCL");
    for (const auto& [name, value] : job_.nccl.variables) {
      if (is_modelled(name)) leave_out(name, fmt::format("without {}={}", name, *value));
    }
  }

  /// An older release, whose search differs: where this one's found no rings or trees.
  void add_releases() {
    if (!paths_.search_failed) return;
    constexpr int kOlder = 22;
    const auto is_older = [](const nccl::Version& version) {
      return version.major == 2 && version.minor == kOlder;
    };
    const auto& now = at_.prepared.layouts.front().placement.ranks().nccl().constants.version;
    const auto release = std::ranges::find_if(at_.library.nccl, [&](const nccl::Release& each) {
      return is_older(each.constants.version);
    });
    if (release == at_.library.nccl.end() || is_older(now)) return;
    const std::string version = nccl::to_string(release->constants.version);
    changes_.push_back({"nccl-version",
                        fmt::format("NCCL {} instead of {}, whose search finds no rings or trees",
                                    version, nccl::to_string(now)),
                        {set_text("/job/nccl/version", version)},
                        {"a framework that runs with this release"},
                        {},
                        false});
  }

  void add_runner_up() {
    const auto other = runner_up_of(at_);
    if (!other) return;
    std::string taken = other->other;
    std::string now = other->now;
    const std::size_t protocol = now.rfind(' ');
    if (protocol != now.npos && taken.ends_with(now.substr(protocol))) {
      taken.resize(taken.size() - (now.size() - protocol));
      now.resize(protocol);
    }
    add(fmt::format("{} instead of {}", taken, now), {{other->variable, other->value}}, {});
  }

  void add_inside_nodes() {
    const bool staged = paths_.host_memory || paths_.splits_hosts;
    if (staged && paths_.allows_peers) {
      add("peer-to-peer traffic between sockets", {{"NCCL_P2P_LEVEL", "SYS"}},
          {"fast peer-to-peer traffic between sockets, which some hosts do not have"});
      add("peer-to-peer traffic through the root complex", {{"NCCL_P2P_LEVEL", "PHB"}},
          {"a root complex that forwards peer-to-peer traffic"});
    }
    if (paths_.host_memory) {
      add("copies through host memory by copy engines", {{"NCCL_SHM_USE_CUDA_MEMCPY", "1"}}, {});
    }
    if (paths_.splits_hosts) {
      add("one NCCL node per host, without NICs between its GPUs",
          {{"NCCL_NET_DISABLE_INTRA", "1"}}, {});
    }
  }

  void add_gpudirect() {
    if (paths_.without_gpudirect) {
      add("GPUDirect RDMA through the root complex", {{"NCCL_NET_GDR_LEVEL", "PHB"}},
          {"a root complex that forwards peer-to-peer traffic between GPUs and NICs"});
      add("GPUDirect RDMA between sockets", {{"NCCL_NET_GDR_LEVEL", "SYS"}},
          {"fast peer-to-peer traffic between GPUs and NICs of different sockets"});
    }
    if (paths_.only_receives) {
      add("GPUDirect RDMA also for sending", {{"NCCL_NET_GDR_READ", "1"}}, {});
    }
  }

  /// GPUs that send through another GPU, which is next to the NIC (PXN).
  void add_relays() {
    const bool exchanges = job_.collective == collectives::Collective::kAllToAll ||
                           (at_.result.training && job_.training.parallel->expert > 1);
    if (!paths_.relays && !(exchanges && paths_.relays_to_rails)) return;
    add("GPUs send to NICs without another GPU between", {{"NCCL_PXN_DISABLE", "1"}}, {});
  }

  void add_network() {
    if (reduces(at_)) {
      add("reductions in the network switches", {{"NCCL_COLLNET_ENABLE", "1"}},
          {"switches with in-network reduction (SHARP), and the NCCL plug-in"});
    }
    using collectives::Transport;
    if (crosses(Transport::kNetwork) || crosses(Transport::kStagedNetwork)) add_queue_pairs();
    if (crosses(Transport::kSocket)) add_connections();
  }

  /// Switches that choose links by hash spread more queue pairs better.
  void add_queue_pairs() {
    constexpr std::int64_t kUsual = 4;
    constexpr std::int64_t kMost = 128;
    const std::int64_t now = number_of("NCCL_IB_QPS_PER_CONNECTION", 1);
    const std::int64_t more = now < kUsual ? kUsual : 2 * now;
    if (more > kMost) return;
    const std::string title = fmt::format("{} queue pairs per connection", more);
    const std::pair<std::string, std::string> pairs{"NCCL_IB_QPS_PER_CONNECTION",
                                                    std::to_string(more)};
    const std::vector<std::string> needs{"memory of the NICs for the queue pairs"};
    add(title, {pairs}, needs);
    const char* split = "NCCL_IB_SPLIT_DATA_ON_QPS";
    if (!is_modelled(split) || !is_modelled(pairs.first) || number_of(split, 0) == 1) return;
    add(title + ", each message split over them", {pairs, {split, "1"}}, needs);
  }

  /// TCP connections of a channel: threads x sockets of a thread, 64 at most (NCCL's user guide).
  void add_connections() {
    const char* threads = "NCCL_SOCKET_NTHREADS";
    const char* sockets = "NCCL_NSOCKS_PERTHREAD";
    const std::int64_t threads_now = number_of(threads, 1);
    const std::int64_t sockets_now = number_of(sockets, 1);
    for (const std::int64_t each : {4, 8}) {
      if (threads_now >= each && sockets_now >= each) continue;
      const std::string value = std::to_string(each);
      add(fmt::format("{} threads with {} TCP connections each per channel", each, each),
          {{threads, value}, {sockets, value}}, {"cores for the threads"});
      return;
    }
  }

  void add_channels() {
    const Placement& placement = at_.prepared.layouts.front().placement;
    if (placement.communicators == nullptr || !placement.ranks().is_joined()) return;
    const nccl::Constants& constants = placement.ranks().nccl().constants;
    const int now = placement.ranks().decision().channels;
    const int more = std::min(2 * now, constants.max_channels);
    if (more > now && at_.result.ranks > 1) {
      Variables variables{{"NCCL_MIN_NCHANNELS", std::to_string(more)}};
      for (const char* most : {"NCCL_MAX_NCHANNELS", "NCCL_MAX_NRINGS", "NCCL_MAX_CTAS"}) {
        if (value_of(most) != nullptr && number_of(most, 0) < more) {
          variables.emplace_back(most, std::to_string(more));
        }
      }
      add(fmt::format("{} NCCL channels instead of {}", more, now), variables,
          {"multiprocessors for their thread blocks, which computing then lacks"});
    }
    if (!paths_.several_nodes || !takes_simple(at_)) return;
    const auto buffer =
        constants.work.buffer[static_cast<std::size_t>(nccl::Protocol::kSimple)].count();
    const std::int64_t bytes = 2 * number_of("NCCL_BUFFSIZE", buffer);
    add("twice the buffers of NCCL's connections", {{"NCCL_BUFFSIZE", std::to_string(bytes)}},
        {"GPU memory for the buffers of each channel"});
  }

  void add_pattern() {
    if (*job_.pattern == collectives::Pattern::kNccl) return;
    changes_.push_back(
        {"nccl-pattern",
         fmt::format("NCCL's AllReduce instead of {}",
                     collectives::pattern_words()[static_cast<std::size_t>(*job_.pattern)]),
         {take_away("/job/pattern")},
         {},
         {},
         false});
  }

  const ChangeContext& at_;
  const JobSpec& job_;
  NcclPaths paths_;
  std::vector<Change>& changes_;
};

}  // namespace

void add_nccl_changes(const ChangeContext& at, std::vector<Change>& changes) {
  NcclChanges(at, changes).add_all();
}

}  // namespace vgsim::scenario
