#include "tools/cli/new/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <tuple>

#include "models/scenario/read/library.hpp"
#include "models/vsphere/mig_words.hpp"
#include "topology/catalog/part_fit.hpp"
#include "topology/catalog/part_names.hpp"
#include "topology/graph/gpu_count.hpp"
#include "topology/hosts/host_parts.hpp"
#include "topology/input/suggest.hpp"

namespace vgsim::cli {
namespace {

using input::Diagnostics;

constexpr std::int64_t kLargestBatch = 64;  ///< that is tried by default

/// The whole number in a text; nothing for other texts.
std::optional<std::int64_t> whole_number_in(const std::string& text) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && rest == end ? std::optional(number) : std::nullopt;
}

/// NICs as written in a scenario: one next to each GPU, or spread over them.
std::vector<input::Named<topology::NicSpec>> nics_of(const topology::NicModel& nic,
                                                     std::size_t count, std::size_t gpus) {
  std::vector<input::Named<topology::NicSpec>> nics(count);
  for (std::size_t n = 0; n < count; ++n) {
    nics[n].name = fmt::format("vmnic{}", n);
    nics[n].value.nic.value = nic.id;
    nics[n].value.near = input::At<std::string>{nearest_gpu(n, count, gpus), {}};
  }
  return nics;
}

class Planner {
 public:
  Planner(const ScenarioRequest& request, const scenario::Library& library)
      : request_(request), library_(library) {}

  tl::expected<NewPlan, Diagnostics> plan() {
    choose_vsphere();
    plan_.hosts = count("--hosts", request_.hosts, 1, 10'000, 1);
    plan_.server = part(library_.catalog->servers, "servers", "--server",
                        request_.server.value_or("dell-xe9680"));
    choose_gpus();
    choose_nics();
    choose_layouts();
    choose_network();
    choose_parallel();
    plan_.batch = static_cast<std::int64_t>(
        count("--batch", request_.batch, 1, 1'000'000, static_cast<std::size_t>(kLargestBatch)));
    if (diagnostics_.has_errors()) return tl::unexpected(diagnostics_);
    plan_.name =
        request_.name.value_or(fmt::format("{} on {} x {} with {} x {}", plan_.network, plan_.hosts,
                                           plan_.server->id, plan_.gpus, plan_.gpu->id));
    return plan_;
  }

 private:
  void error(const std::string& message, const std::string& expected,
             std::vector<std::string> near = {}) {
    diagnostics_.error("E411", {}, "", message, expected, std::move(near));
  }

  std::size_t count(const char* option, const std::optional<std::string>& text, std::int64_t least,
                    std::int64_t most, std::size_t otherwise) {
    if (!text) return otherwise;
    const auto number = whole_number_in(*text);
    if (number && *number >= least && *number <= most) return static_cast<std::size_t>(*number);
    error(fmt::format("{} \"{}\"", option, *text),
          fmt::format("a whole number from {} to {}", least, most));
    return otherwise;
  }

  /// Whether it is one of these words; else reports an error with the nearest ones.
  bool is_one_of(const char* option, const std::string& word,
                 const std::vector<std::string>& words) {
    if (std::find(words.begin(), words.end(), word) != words.end()) return true;
    error(fmt::format("{} \"{}\" is not known", option, word), input::one_of(word, words),
          input::suggest(word, words));
    return false;
  }

  /// The only name that a text matches.
  std::optional<std::string> only(const char* option, const std::string& text,
                                  const std::vector<std::string>& meant,
                                  const std::vector<std::string>& known) {
    if (meant.size() == 1) return meant.front();
    if (meant.empty()) {
      error(fmt::format("{} \"{}\" is not known", option, text),
            fmt::format("one that vgsim catalog lists"), input::suggest(text, known));
    } else {
      error(fmt::format("{} \"{}\" may mean several", option, text),
            fmt::format("one of: {}", fmt::join(meant, ", ")));
    }
    return std::nullopt;
  }

  template <class Table>
  const typename Table::mapped_type* part(const Table& table, const char* kind, const char* option,
                                          const std::string& text, const std::string& usual = {}) {
    auto meant = input::matching_names(text, topology::known_parts(*library_.catalog, kind));
    if (std::find(meant.begin(), meant.end(), usual) != meant.end()) meant = {usual};
    const auto name = only(option, text, meant, topology::names_of(table));
    return name ? &table.at(*name) : nullptr;
  }

  void choose_vsphere() {
    plan_.vsphere = request_.vsphere.value_or("8.0U3");
    is_one_of("--vsphere", plan_.vsphere, vsphere::Versions::words());
  }

  void choose_gpus() {
    if (plan_.server == nullptr) return;
    const std::size_t slots = plan_.server->gpu_slots.size();
    std::string name = plan_.server->default_gpu;
    plan_.gpus = slots;
    if (request_.gpus) {
      const auto counted = topology::parse_gpu_count(*request_.gpus);
      if (whole_number_in(*request_.gpus)) {
        plan_.gpus = count("--gpus", request_.gpus, 1, 128, slots);
      } else if (counted) {
        plan_.gpus = counted->count;
        name = counted->gpu;
      } else {
        name = *request_.gpus;
      }
    }
    if (plan_.gpus > slots) {
      error(
          fmt::format("--gpus: {} has {} GPU slots, not {}", plan_.server->name, slots, plan_.gpus),
          fmt::format("at most {}", slots));
    }
    plan_.gpu = part(library_.catalog->gpus, "gpus", "--gpus", name, plan_.server->default_gpu);
    const auto why =
        plan_.gpu == nullptr ? std::nullopt : incompatibility(*plan_.gpu, *plan_.server);
    if (why) {
      const auto fitting = compatible_gpus(*library_.catalog, *plan_.server, plan_.gpu->id);
      error(fmt::format("--gpus: {} does not go into {}: {}", plan_.gpu->name, plan_.server->name,
                        *why),
            input::one_of(plan_.gpu->id, fitting, "vgsim catalog gpus"));
    }
    if (plan_.gpu != nullptr)
      plan_.precision = plan_.gpu->compute_capability >= 80 ? "bf16" : "fp16";
  }

  /// Whether that many NICs of a model fit in slots of their full rate.
  bool has_places(const topology::NicModel& nic, std::size_t count) const {
    const topology::HostParts host{*plan_.server, plan_.gpu, plan_.gpus};
    const auto places =
        topology::places_of(host, nics_of(nic, count, plan_.gpus), *library_.catalog);
    return places && std::ranges::all_of(*places, [&](const auto& each) {
             return topology::rate_in_slot(nic, *each.second.link, *library_.catalog) >=
                    nic.port_rate.value;
           });
  }

  /// The fastest adapter with built-in support in NCCL that fits in the server, except DPUs;
  /// in a cloud instance that of the cloud.
  const topology::NicModel* usual_nic(std::size_t count) const {
    const auto rank = [](const topology::NicModel& nic) {
      const bool own = nic.rdma && nic.gdr && nic.net == topology::NetKind::kIb;
      return std::tuple(own, nic.port_rate.value, nic.upgrade);
    };
    const topology::NicModel* best = nullptr;
    for (const auto& [name, nic] : library_.catalog->nics) {
      const bool better = best == nullptr || rank(nic) > rank(*best);
      if (!nic.dpu && better && has_places(nic, count)) best = &nic;
    }
    return best;
  }

  void choose_nics() {
    if (plan_.server == nullptr) return;
    const bool none = plan_.hosts == 1 && !request_.nic && !request_.nics;
    if (none) return;
    const std::size_t slots = plan_.server->nic_slots.size();
    const bool switched = plan_.server->nvlink.kind == topology::NvLinkLayout::Kind::kNvSwitch;
    const std::size_t usual = switched ? std::min(plan_.gpus, slots) : std::size_t{1};
    plan_.nics = count("--nics", request_.nics, plan_.hosts > 1 ? 1 : 0, 64, usual);
    plan_.nic = request_.nic ? part(library_.catalog->nics, "nics", "--nic", *request_.nic)
                             : usual_nic(std::min(plan_.nics, slots));
    if (plan_.nics <= slots) return;
    error(fmt::format("--nics: {} has {} slots for NICs, not {}", plan_.server->name, slots,
                      plan_.nics),
          fmt::format("at most {}", slots));
  }

  void choose_layouts() {
    if (plan_.gpu == nullptr) return;
    const vsphere::Board* board = library_.vsphere->profiles.board_of(plan_.gpu->id);
    const bool takes_vgpu =
        board != nullptr && library_.vsphere->versions.takes_vgpu(plan_.server->id);
    const bool time_sliced = takes_vgpu && whole_profile(*board, false) != nullptr;
    const bool mig = takes_vgpu && board->has_mig();
    std::vector<std::string> words = request_.layouts;
    if (words.empty()) words = {time_sliced ? "both" : "passthrough"};
    for (const std::string& word : words) {
      if (!is_one_of("--layout", word, {"passthrough", "vgpu", "mig", "both", "all"})) continue;
      const bool several = word == "both" || word == "all";
      if (several || word == "passthrough") add_layout({"passthrough", "", false});
      if (word == "vgpu" || word == "both" || (word == "all" && time_sliced)) add_vgpu(board);
      if (word == "mig" || (word == "all" && mig)) add_mig(board);
    }
  }

  void add_layout(NewLayout layout) {
    const bool there = std::any_of(plan_.layouts.begin(), plan_.layouts.end(),
                                   [&](const NewLayout& each) { return each.name == layout.name; });
    if (!there) plan_.layouts.push_back(std::move(layout));
  }

  /// The compute profile of a whole GPU.
  static const vsphere::Profile* whole_profile(const vsphere::Board& board, bool mig) {
    const vsphere::Profile* best = nullptr;
    for (const auto& [name, profile] : board.profiles) {
      if (profile.mig != mig || profile.media_engines || profile.series != 'c') continue;
      if (best == nullptr || profile.framebuffer > best->framebuffer) best = &profile;
    }
    return best;
  }

  /// The requested profile, or that of a whole GPU.
  const vsphere::Profile* profile_on(const vsphere::Board& board, bool mig) {
    if (!request_.profile) return whole_profile(board, mig);
    if (const auto* named = vsphere::mig_profile(*request_.profile, {&board})) return named;
    std::vector<std::string> names;
    for (const auto& [name, profile] : board.profiles) names.push_back(name);
    const auto name = only("--profile", *request_.profile,
                           input::matching_names(*request_.profile, names), names);
    return name ? &board.profiles.at(*name) : nullptr;
  }

  void add_vgpu(const vsphere::Board* board) {
    if (board == nullptr || whole_profile(*board, false) == nullptr) {
      const bool has_mig = board != nullptr && board->has_mig();
      const char* problem =
          has_mig ? "all vGPU profiles of {} are MIG-backed" : "no vGPU profiles of {} are known";
      return error("--layout vgpu: " + fmt::format(fmt::runtime(problem), plan_.gpu->id),
                   fmt::format("--layout {}passthrough, or another GPU", has_mig ? "mig or " : ""));
    }
    const auto* profile = profile_on(*board, false);
    if (profile == nullptr) return;
    if (profile->mig) return add_mig(board);
    const bool switched = plan_.server->nvlink.kind == topology::NvLinkLayout::Kind::kNvSwitch;
    const bool group_size = plan_.gpus == 2 || plan_.gpus == 4 || plan_.gpus == 8;
    const bool grouped =
        switched && group_size && profile->is_whole() && !vsphere::is_older(plan_.vsphere, "8.0U1");
    add_layout({"vgpu", profile->name, grouped});
  }

  void add_mig(const vsphere::Board* board) {
    if (board == nullptr || !board->has_mig()) {
      const char* problem = board == nullptr ? "no MIG profiles of {} are known" : "{} has no MIG";
      return error("--layout mig: " + fmt::format(fmt::runtime(problem), plan_.gpu->id),
                   fmt::format("--layout {}passthrough, or a GPU with MIG such as those of A100 or "
                               "H100",
                               board == nullptr ? "" : "vgpu or "));
    }
    const auto* profile = profile_on(*board, true);
    if (profile == nullptr) return;
    if (!profile->mig) profile = whole_profile(*board, true);
    add_layout({"mig", profile->name, false});
  }

  void choose_network() {
    const std::string text = request_.network.value_or("bert-large");
    const auto known = library_.networks->names();
    const auto name = only("--network", text, input::matching_names(text, known), known);
    if (!name) return;
    plan_.network = *name;
    const auto& network = library_.networks->at(*name);
    plan_.has_dataset = library_.catalog->datasets.contains(network.dataset);
    plan_.is_transformer = network.transformer.has_value();
  }

  void choose_parallel() {
    static const std::vector<std::string> axes = {"tensor", "pipeline", "context", "expert"};
    static const std::vector<std::string> words = {"ddp",   "fsdp",  "none",
                                                   "zero1", "zero2", "zero3"};
    std::istringstream list(request_.parallel.value_or(""));
    for (std::string item; std::getline(list, item, ',');) {
      const std::size_t equals = item.find('=');
      if (equals == std::string::npos) {
        if (!is_one_of("--parallel", item, words)) continue;
        plan_.parallel.sharding = item == "fsdp"                    ? "zero3"
                                  : item == "ddp" || item == "none" ? ""
                                                                    : item;
        continue;
      }
      const std::string axis = item.substr(0, equals);
      if (!is_one_of("--parallel", axis, axes)) continue;
      const std::size_t size = count(fmt::format("--parallel {}", axis).c_str(),
                                     item.substr(equals + 1), 1, 1'000'000, 1);
      if (size > 1) plan_.parallel.axes[axis] = static_cast<std::int64_t>(size);
    }
  }

  const ScenarioRequest& request_;
  const scenario::Library& library_;
  Diagnostics diagnostics_;
  NewPlan plan_;
};

}  // namespace

std::string nearest_gpu(std::size_t nic, std::size_t nics, std::size_t gpus) {
  return fmt::format("gpu{}", nic * gpus / nics);
}

tl::expected<NewPlan, Diagnostics> plan_of(const ScenarioRequest& request,
                                           const scenario::Library& library) {
  return Planner(request, library).plan();
}

std::optional<NewPlan> smaller_plan(const NewPlan& plan, const ScenarioRequest& request) {
  NewPlan smaller = plan;
  if (!request.batch && plan.batch > 1) {
    smaller.batch = plan.batch / 4;
  } else if (!request.parallel && plan.parallel.sharding.empty()) {
    smaller.parallel.sharding = "zero3";
    if (!request.batch) smaller.batch = kLargestBatch;
  } else if (!plan.recompute && plan.is_transformer) {
    smaller.recompute = true;
  } else {
    return std::nullopt;
  }
  return smaller;
}

}  // namespace vgsim::cli
