#include "models/collectives/nccl/settings.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <set>

#include "topology/input/suggest.hpp"

namespace vgsim::collectives::nccl {
namespace {

/// The error of a variable's text; empty if the text is valid.
struct Complaint {
  std::string message;
  std::string expected;
  std::vector<std::string> suggestions;
};

using Problem = std::optional<Complaint>;
using Reader = std::function<Problem(const std::string&, Settings&)>;

std::string quoted(const std::string& text) { return "\"" + text + "\""; }

std::optional<std::int64_t> number_of(std::string_view text) {
  bool negative = false;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    negative = text[0] == '-';
    text.remove_prefix(1);
  }
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  }
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return negative ? -value : value;
}

template <typename Field>
Reader number(Field Settings::*field, std::int64_t least, std::int64_t most) {
  return [=](const std::string& text, Settings& settings) -> Problem {
    const auto value = number_of(text);
    const std::string range = std::to_string(least) + " to " + std::to_string(most);
    if (!value) return Complaint{quoted(text) + " is not a whole number", range, {}};
    if (*value < least || *value > most) return Complaint{text + " is out of range", range, {}};
    settings.*field = static_cast<typename Field::value_type>(*value);
    return std::nullopt;
  };
}

Reader flag(std::optional<bool> Settings::*field) {
  return [=](const std::string& text, Settings& settings) -> Problem {
    if (text != "0" && text != "1") return Complaint{quoted(text), "0 or 1", {}};
    settings.*field = text == "1";
    return std::nullopt;
  };
}

Reader words(std::optional<std::string> Settings::*field) {
  return [=](const std::string& text, Settings& settings) -> Problem {
    if (text.empty()) return Complaint{"it is empty", "a value", {}};
    settings.*field = text;
    return std::nullopt;
  };
}

/// Paths by NCCL's letters, or by the numbers 0 to 5 of its early releases.
Reader level(std::optional<PathType> Settings::*field) {
  return [=](const std::string& text, Settings& settings) -> Problem {
    constexpr std::array kNumbered = {PathType::kLoc, PathType::kPix, PathType::kPxb,
                                      PathType::kPhb, PathType::kSys, PathType::kSys};
    std::vector<std::string> names;
    for (int i = 0; i <= static_cast<int>(PathType::kSys); ++i) {
      const auto type = static_cast<PathType>(i);
      names.emplace_back(to_string(type));
      if (text == names.back()) {
        settings.*field = type;
        return std::nullopt;
      }
    }
    if (const auto value = number_of(text); value && *value >= 0) {
      const auto last = static_cast<std::int64_t>(kNumbered.size()) - 1;
      settings.*field = kNumbered[static_cast<std::size_t>(std::min(*value, last))];
      return std::nullopt;
    }
    return Complaint{quoted(text) + " is not a path type", "LOC, NVL, PIX, PXB, PHB, SYS or 0 to 5",
                     input::suggest(text, names)};
  };
}

Problem algorithms(const std::string& text, Settings& settings) {
  const auto read = read_algorithms(text, settings.filter);
  return read ? std::nullopt : Problem(Complaint{read.error(), {}, {}});
}

Problem protocols(const std::string& text, Settings& settings) {
  const auto read = read_protocols(text, settings.filter);
  return read ? std::nullopt : Problem(Complaint{read.error(), {}, {}});
}

Problem p2p_disable(const std::string& text, Settings& settings) {
  if (text != "0" && text != "1") return Complaint{quoted(text), "0 or 1", {}};
  if (text == "1") settings.p2p_level = PathType::kLoc;
  return std::nullopt;
}

/// The newer name of a channel limit takes precedence over the older one.
Reader older_name(std::optional<int> Settings::*field) {
  const Reader reader = number(field, 0, 1024);
  return [=](const std::string& text, Settings& settings) -> Problem {
    const std::optional<int> newer = settings.*field;
    const Problem problem = reader(text, settings);
    if (newer) settings.*field = newer;
    return problem;
  };
}

struct Variable {
  std::string name;
  Reader read;
};

constexpr std::int64_t kMostBytes = std::int64_t{1} << 40;

/// In reading order. If two variables set the same value, the reader decides which takes
/// precedence.
const std::vector<Variable>& variables() {
  static const std::vector<Variable> all = {
      {"NCCL_ALGO", algorithms},
      {"NCCL_BUFFSIZE", number(&Settings::buffsize, 1, kMostBytes)},
      {"NCCL_COLLNET_ENABLE", flag(&Settings::collnet_enable)},
      {"NCCL_CROSS_NIC", number(&Settings::cross_nic, 0, 2)},
      {"NCCL_GRAPH_FILE", words(&Settings::graph_file)},
      {"NCCL_IB_DISABLE", flag(&Settings::ib_disable)},
      {"NCCL_IB_HCA", words(&Settings::ib_hca)},
      {"NCCL_IGNORE_CPU_AFFINITY", flag(&Settings::ignore_cpu_affinity)},
      {"NCCL_LL128_BUFFSIZE", number(&Settings::ll128_buffsize, 1, kMostBytes)},
      {"NCCL_LL_BUFFSIZE", number(&Settings::ll_buffsize, 1, kMostBytes)},
      {"NCCL_MAX_CTAS", number(&Settings::max_ctas, 1, 64)},
      {"NCCL_MAX_NCHANNELS", number(&Settings::max_channels, 0, 1024)},
      {"NCCL_MAX_NRINGS", older_name(&Settings::max_channels)},
      {"NCCL_MIN_CTAS", number(&Settings::min_ctas, 1, 64)},
      {"NCCL_MIN_NCHANNELS", number(&Settings::min_channels, 0, 1024)},
      {"NCCL_MIN_NRINGS", older_name(&Settings::min_channels)},
      {"NCCL_NET_DISABLE_INTRA", flag(&Settings::net_disable_intra)},
      {"NCCL_NET_GDR_LEVEL", level(&Settings::net_gdr_level)},
      {"NCCL_NET_GDR_READ", number(&Settings::net_gdr_read, -2, 1)},
      {"NCCL_NTHREADS", number(&Settings::threads, 32, 1024)},
      {"NCCL_NVB_DISABLE", flag(&Settings::nvb_disable)},
      {"NCCL_NVLS_CHUNKSIZE", number(&Settings::nvls_chunk_size, 1, kMostBytes)},
      {"NCCL_NVLS_ENABLE", number(&Settings::nvls_enable, 0, 2)},
      {"NCCL_P2P_LEVEL", level(&Settings::p2p_level)},
      {"NCCL_P2P_DISABLE", p2p_disable},
      {"NCCL_P2P_NET_CHUNKSIZE", number(&Settings::p2p_net_chunk_size, 1, kMostBytes)},
      {"NCCL_PROTO", protocols},
      {"NCCL_PXN_DISABLE", flag(&Settings::pxn_disable)},
      {"NCCL_SHM_DISABLE", flag(&Settings::shm_disable)},
      {"NCCL_TOPO_FILE", words(&Settings::topo_file)},
  };
  return all;
}

SettingError unknown(const std::string& name) {
  return {name, "unknown, or without effect in this model", "one of NCCL's variables",
          input::suggest(name, setting_names())};
}

}  // namespace

std::vector<std::string> setting_names() {
  std::vector<std::string> names;
  for (const Variable& variable : variables()) names.push_back(variable.name);
  std::sort(names.begin(), names.end());
  return names;
}

tl::expected<Settings, std::vector<SettingError>> parse_settings(
    const std::map<std::string, std::string>& given) {
  Settings settings;
  std::vector<SettingError> errors;
  const std::vector<std::string> names = setting_names();
  for (const auto& [name, text] : given) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      errors.push_back(unknown(name));
    }
  }
  for (const Variable& variable : variables()) {
    const auto found = given.find(variable.name);
    if (found == given.end()) continue;
    if (const Problem problem = variable.read(found->second, settings)) {
      errors.push_back({variable.name, problem->message, problem->expected, problem->suggestions});
    }
  }
  std::stable_sort(errors.begin(), errors.end(),
                   [](const SettingError& a, const SettingError& b) { return a.name < b.name; });
  if (!errors.empty()) return tl::unexpected(std::move(errors));
  return settings;
}

bool is_without_effect(const std::string& name) {
  static const std::set<std::string> names = {"NCCL_ASYNC_ERROR_HANDLING",
                                              "NCCL_BLOCKING_WAIT",
                                              "NCCL_CHECKS_DISABLE",
                                              "NCCL_CHECK_POINTERS",
                                              "NCCL_COMM_BLOCKING",
                                              "NCCL_CUMEM_ENABLE",
                                              "NCCL_CUMEM_HOST_ENABLE",
                                              "NCCL_DEBUG",
                                              "NCCL_DEBUG_FILE",
                                              "NCCL_DEBUG_SUBSYS",
                                              "NCCL_DMABUF_ENABLE",
                                              "NCCL_GDRCOPY_ENABLE",
                                              "NCCL_GRAPH_DUMP_FILE",
                                              "NCCL_GRAPH_REGISTER",
                                              "NCCL_IB_ADAPTIVE_ROUTING",
                                              "NCCL_IB_AR_THRESHOLD",
                                              "NCCL_IB_CUDA_SUPPORT",
                                              "NCCL_IB_ECE_ENABLE",
                                              "NCCL_IB_GID_INDEX",
                                              "NCCL_IB_PCI_RELAXED_ORDERING",
                                              "NCCL_IB_QPS_PER_CONNECTION",
                                              "NCCL_IB_RETRY_CNT",
                                              "NCCL_IB_SL",
                                              "NCCL_IB_SPLIT_DATA_ON_QPS",
                                              "NCCL_IB_TC",
                                              "NCCL_IB_TIMEOUT",
                                              "NCCL_IB_USE_INLINE",
                                              "NCCL_LAUNCH_MODE",
                                              "NCCL_LOCAL_REGISTER",
                                              "NCCL_NET",
                                              "NCCL_NET_PLUGIN",
                                              "NCCL_NET_SHARED_BUFFERS",
                                              "NCCL_NET_SHARED_COMMS",
                                              "NCCL_NSOCKS_PERTHREAD",
                                              "NCCL_OOB_NET_ENABLE",
                                              "NCCL_P2P_DIRECT_DISABLE",
                                              "NCCL_P2P_PXN_LEVEL",
                                              "NCCL_PROFILER_PLUGIN",
                                              "NCCL_RAS_ENABLE",
                                              "NCCL_SET_STACK_SIZE",
                                              "NCCL_SHIMNET_GUEST_CONFIG_CHECKER_CONFIG_FILE",
                                              "NCCL_SOCKET_FAMILY",
                                              "NCCL_SOCKET_IFNAME",
                                              "NCCL_SOCKET_NTHREADS",
                                              "NCCL_TOPO_DUMP_FILE",
                                              "NCCL_TUNER_CONFIG_PATH",
                                              "NCCL_TUNER_PLUGIN",
                                              "NCCL_WIN_ENABLE",
                                              "NCCL_WORK_FIFO_DEPTH"};
  return names.contains(name);
}

}  // namespace vgsim::collectives::nccl
