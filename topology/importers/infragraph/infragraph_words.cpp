#include "topology/importers/infragraph/infragraph_words.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <string_view>

#include "topology/graph/pcie_speed.hpp"
#include "topology/importers/text.hpp"

namespace vgsim::topology::infragraph {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return c >= 'a' && c <= 'z'; }

/// Lower case; letters and digits, with points between digits: "PCIe_Gen 5.0 x16" is pcie, gen,
/// 5.0, x16.
std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  const std::string lower = lower_case(text);
  for (std::size_t i = 0; i <= lower.size(); ++i) {
    const char c = i < lower.size() ? lower[i] : ' ';
    const bool is_point = c == '.' && !word.empty() && is_digit(word.back()) &&
                          i + 1 < lower.size() && is_digit(lower[i + 1]);
    if (is_digit(c) || is_letter(c) || is_point) {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  return words;
}

using Words = std::vector<std::string>;

bool any_is(const Words& words, std::initializer_list<std::string_view> wanted) {
  return std::ranges::any_of(words, [&](const std::string& word) {
    return std::ranges::find(wanted, word) != wanted.end();
  });
}

bool any_starts_with(const Words& words, std::initializer_list<std::string_view> wanted) {
  return std::ranges::any_of(words, [&](const std::string& word) {
    return std::ranges::any_of(wanted,
                               [&](std::string_view start) { return word.starts_with(start); });
  });
}

/// A whole number from 1 to `max` that is all of the text; "5.0" is 5.
std::optional<std::int64_t> small_number(std::string_view text, std::int64_t max) {
  if (text.ends_with(".0")) text.remove_suffix(2);
  return whole_number(text, 1, max);
}

/// "nv12"
bool is_link_count(std::string_view word) {
  return word.size() >= 3 && word.size() <= 4 && word.starts_with("nv") && is_digit(word[2]);
}

/// "cx7"
bool is_connectx(std::string_view word) {
  return word.size() == 3 && word.starts_with("cx") && is_digit(word[2]);
}

/// The schema has no field for what a component or a link is beyond a few kinds, so that its
/// writers say it in names and descriptions. These are cut into words, and the first rule that
/// knows one decides: NVSwitch before switch, connector before bridge, since "PCIe slot of the GPU
/// switch" holds all of them.
std::optional<Role> role_in(const std::string& text) {
  const Words words = words_in(text);
  const bool is_switch = any_is(words, {"switch", "switches", "sw"});
  if (any_starts_with(words, {"nvswitch", "nvsw", "nvlsw"}) ||
      (is_switch && any_is(words, {"nv", "nvlink"}))) {
    return Role::kNvSwitch;
  }
  if (any_is(words, {"root", "host"}) && any_is(words, {"bridge", "bridges", "complex"})) {
    return Role::kRoot;
  }
  if (any_starts_with(words, {"slot", "endpoint", "pciesl", "riser", "retimer", "connector"}) ||
      (any_starts_with(words, {"pci"}) && any_is(words, {"device", "devices", "sl"}))) {
    return Role::kConnector;
  }
  if (is_switch || any_starts_with(words, {"bridge", "pciesw", "plx"})) return Role::kBridge;
  if (any_starts_with(words, {"nvme", "ssd", "storage", "drive", "disk"})) return Role::kStorage;
  if (any_is(words, {"aspeed", "matrox", "vga"})) return Role::kDisplay;
  if (any_is(words, {"bmc", "baseboard", "other"})) return Role::kOther;
  if (speaks_of_nic(text)) return Role::kNic;
  if (any_is(words, {"gpu", "gpus", "xpu", "npu", "tpu", "accelerator"})) return Role::kGpu;
  return std::nullopt;
}

Role role_by_words(const Component& component) {
  for (const std::string* text :
       {&component.custom_type, &component.name, &component.description}) {
    if (const auto role = role_in(*text)) return *role;
  }
  return Role::kOther;
}

std::optional<LinkKind> link_kind_in(const std::string& text) {
  const Words words = words_in(text);
  const bool chip = any_is(words, {"chip"});
  if (any_is(words, {"c2c"}) || (chip && any_is(words, {"to"}))) return LinkKind::kC2c;
  const bool counted = std::ranges::any_of(words, is_link_count);
  if (counted || any_starts_with(words, {"nvlink"})) return LinkKind::kNvLink;
  if (any_starts_with(words, {"xgmi", "infinity"})) return LinkKind::kXgmi;
  if (any_starts_with(words, {"pci"})) return LinkKind::kPcie;
  if (any_starts_with(words, {"ddr", "hbm", "memory"})) return LinkKind::kMemory;
  if (any_starts_with(words, {"eth", "infiniband", "roce", "serdes"}) || any_is(words, {"ib"})) {
    return LinkKind::kNetwork;
  }
  return std::nullopt;
}

/// Takes "gen4", "pcie4", "gen4x16" apart.
void read_glued(std::string_view word, PcieTold& told) {
  for (const std::string_view start : {"gen", "pcie", "pci"}) {
    if (!word.starts_with(start)) continue;
    word.remove_prefix(start.size());
    const std::size_t x = std::min(word.find('x'), word.size());
    told.generation = small_number(word.substr(0, x), 6);
    if (told.generation && x < word.size()) told.lanes = small_number(word.substr(x + 1), 32);
    return;
  }
}

std::optional<std::int64_t> lanes_in(const Words& words, std::size_t i) {
  const std::string_view word = words[i];
  if (word.starts_with('x')) return small_number(word.substr(1), 32);
  if (word.ends_with('x')) return small_number(word.substr(0, word.size() - 1), 32);
  if (i + 1 < words.size() && words[i + 1].starts_with("lane")) return small_number(word, 32);
  return std::nullopt;
}

PcieTold pcie_in(const std::string& text) {
  const Words words = words_in(text);
  PcieTold told;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const std::string next = i + 1 < words.size() ? words[i + 1] : std::string();
    const std::string after = i + 2 < words.size() ? words[i + 2] : std::string();
    PcieTold here;
    if (word == "gen" || word == "generation" ||
        (any_is({word}, {"pci", "pcie", "express"}) && !after.starts_with("lane") &&
         !any_is({after}, {"gb", "gbps", "gt", "x"}))) {
      here.generation = small_number(next, 6);
    } else if (next == "gt") {
      here.generation = pcie_generation_of(word);
    } else {
      read_glued(word, here);
    }
    if (!here.lanes) here.lanes = lanes_in(words, i);
    if (!told.generation) told.generation = here.generation;
    if (!told.lanes) told.lanes = here.lanes;
  }
  return told;
}

/// Lanes of which the bandwidth is, give or take a tenth: the line coding may be taken off or not.
std::optional<std::int64_t> lanes_for(std::int64_t generation, double gigabytes) {
  for (const std::int64_t lanes : {1, 2, 4, 8, 16}) {
    const auto carried = pcie_gigabytes_per_second({generation, lanes});
    if (carried && std::abs(gigabytes - *carried) <= 0.1 * *carried) return lanes;
  }
  return std::nullopt;
}

std::optional<LinksTold> links_in(const std::string& text) {
  constexpr std::int64_t kMostLinks = 64;
  const Words words = words_in(text);
  const bool of_gpus = any_starts_with(words, {"nvlink", "xgmi"});
  std::optional<std::int64_t> count;
  std::optional<double> each;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const std::string next = i + 1 < words.size() ? words[i + 1] : std::string();
    std::optional<std::int64_t> here;
    if (is_link_count(word)) here = whole_number(word.substr(2), 1, kMostLinks);
    if (any_is({next}, {"nvlink", "nvlinks", "xgmi", "links"}))
      here = whole_number(word, 1, kMostLinks);
    if (of_gpus && word.starts_with('x')) here = whole_number(word.substr(1), 1, kMostLinks);
    if (of_gpus && word.ends_with('x')) {
      here = whole_number(word.substr(0, word.size() - 1), 1, kMostLinks);
    }
    if (!count) count = here;
    if (next == "gb" && i + 3 < words.size() && words[i + 2] == "s" && words[i + 3] == "each") {
      double value = 0.0;
      const auto [rest, failure] = std::from_chars(word.data(), word.data() + word.size(), value);
      if (failure == std::errc() && rest == word.data() + word.size()) each = value;
    }
  }
  if (!count) return std::nullopt;
  return LinksTold{*count, each};
}

}  // namespace

bool speaks_of_nic(const std::string& text) {
  const Words words = words_in(text);
  return any_starts_with(words, {"nic", "hca", "dpu", "connectx", "bluefield", "ethernet",
                                 "infiniband", "supernic"}) ||
         std::ranges::any_of(words, is_connectx);
}

Role role_of(const Component& component) {
  const auto says = [&](Role role) {
    return role_in(component.name) == role || role_in(component.description) == role;
  };
  switch (component.kind) {
    case ComponentKind::kCpu:
      return Role::kCpu;
    case ComponentKind::kXpu:
      return says(Role::kDisplay) ? Role::kDisplay : Role::kGpu;
    case ComponentKind::kNic:
      return Role::kNic;
    case ComponentKind::kMemory:
      return Role::kMemory;
    case ComponentKind::kPort:
      return Role::kPort;
    case ComponentKind::kSwitch:
      return says(Role::kNvSwitch) ? Role::kNvSwitch : Role::kBridge;
    case ComponentKind::kCustom:
    case ComponentKind::kDevice:
      break;
  }
  const Role role = role_by_words(component);
  if (role == Role::kGpu && says(Role::kDisplay)) return Role::kDisplay;
  // The type may say no more than "switch".
  const bool is_plain = component.custom_type.find("bridge") == std::string::npos;
  return role == Role::kBridge && is_plain && says(Role::kNvSwitch) ? Role::kNvSwitch : role;
}

std::string model_of(const Component& component) {
  const auto is_generic = [](const std::string& text) {
    const Words words = words_in(text);
    return std::ranges::all_of(words, [](const std::string& word) {
      return is_digit(word.front()) ||
             any_is({word}, {"cpu", "gpu", "xpu", "npu", "nic", "nvme", "storage", "other", "pci",
                             "pcie", "bridge", "switch", "sw", "pciesw", "slot", "device"});
    });
  };
  if (!is_generic(component.description)) return component.description;
  return is_generic(component.name) ? std::string() : component.name;
}

LinkKind kind_of(const Link& link) {
  if (const auto kind = link_kind_in(link.name)) return *kind;
  return link_kind_in(link.description).value_or(LinkKind::kOther);
}

PcieTold pcie_of(const Link& link) {
  PcieTold told = pcie_in(link.description);
  const PcieTold named = pcie_in(link.name);
  if (!told.generation) told.generation = named.generation;
  if (!told.lanes) told.lanes = named.lanes;
  if (!link.bandwidth) return told;
  const double value = link.bandwidth->value;
  if (link.bandwidth->unit == BandwidthUnit::kGigatransfers) {
    if (!told.generation) told.generation = pcie_generation_of(std::to_string(value));
  } else if (told.generation && !told.lanes) {
    const bool bits = link.bandwidth->unit == BandwidthUnit::kGigabits;
    told.lanes = lanes_for(*told.generation, bits ? value / 8.0 : value);
    told.inferred = told.lanes.has_value();
  }
  return told;
}

std::optional<LinksTold> links_of(const Link& link) {
  if (auto told = links_in(link.description)) return told;
  return links_in(link.name);
}

const char* unit_text(BandwidthUnit unit) {
  return unit == BandwidthUnit::kGigabits    ? "Gbit/s"
         : unit == BandwidthUnit::kGigabytes ? "GB/s"
                                             : "GT/s";
}

}  // namespace vgsim::topology::infragraph
