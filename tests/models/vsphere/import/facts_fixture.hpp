#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/vsphere/import/vm_facts.hpp"

namespace vgsim::vsphere::import::testing {

using topology::inventory::Device;
using topology::inventory::DeviceKind;
using topology::inventory::NumaNode;

/// What came of reading a text.
struct Reading {
  bool ok = false;
  VsphereFacts facts;
  input::Diagnostics messages;  ///< errors, or the warnings of the result

  [[nodiscard]] const VmFacts& vm() const { return facts.vms.at(0); }
  [[nodiscard]] const Inventory& host() const { return facts.hosts.at(0); }

  /// "3:5 E534" for each error or warning, those of hosts included.
  [[nodiscard]] std::vector<std::string> codes() const {
    input::Diagnostics all = messages;
    for (const Inventory& one : facts.hosts) all.append(one.warnings);
    std::vector<std::string> result;
    for (const input::Diagnostic& item : all.items()) {
      const auto at = input::line_column(item.location);
      result.push_back(fmt::format("{}:{} {}", at.line, at.column, item.code));
    }
    return result;
  }

  /// Whether an error, a warning, an assumption or a skipped part contains that text.
  [[nodiscard]] bool says(const std::string& part) const {
    const std::string all = input::render(messages, 1000) + sentences();
    return all.find(part) != all.npos;
  }

  [[nodiscard]] std::string sentences() const {
    std::string all;
    const auto add = [&](const std::vector<std::string>& list) {
      for (const std::string& sentence : list) all += sentence + "\n";
    };
    add(facts.assumed);
    add(facts.skipped);
    for (const Inventory& one : facts.hosts) {
      add(one.assumed);
      add(one.skipped);
      all += input::render(one.warnings, 1000);
    }
    return all;
  }
};

using Reader =
    std::function<tl::expected<VsphereFacts, input::Diagnostics>(const input::SourcePtr&)>;

inline Reading read_source(const Reader& reader, const input::SourcePtr& source) {
  Reading reading;
  auto result = reader(source);
  reading.ok = result.has_value();
  if (result) {
    reading.facts = std::move(*result);
    reading.messages = reading.facts.warnings;
  } else {
    reading.messages = std::move(result.error());
  }
  return reading;
}

inline Reading read_text(const Reader& reader, std::string text) {
  return read_source(reader, input::make_source("file", std::move(text)));
}

/// The value as a text; "-" if it is unknown; "?" follows an assumed value.
template <class Value>
std::string shown(const Maybe<Value>& stated) {
  if (!stated) return "-";
  std::string text;
  if constexpr (requires { stated->value.count(); }) {
    text = fmt::format("{}", stated->value.count());
  } else {
    text = fmt::format("{}", stated->value);
  }
  return stated->source == topology::inventory::kAssumed ? text + "?" : text;
}

/// The device at a bus id; a failure if there is none.
inline const Device& device_at(const Inventory& host, const std::string& bus_id) {
  const Device* found = nullptr;
  topology::inventory::for_each_device(host, [&](const Device& device) {
    if (device.bus_id == bus_id) found = &device;
  });
  if (found == nullptr) throw std::runtime_error("no device at " + bus_id);
  return *found;
}

inline std::size_t count_of(const Inventory& host, DeviceKind kind) {
  std::size_t count = 0;
  topology::inventory::for_each_device(
      host, [&](const Device& device) { count += device.kind == kind ? 1U : 0U; });
  return count;
}

/// The tree in one line: "1: 80[82 84] 90; -: a0", NUMA nodes with the buses of their devices.
inline std::string tree_of(const std::vector<Device>& devices) {
  std::string text;
  for (const Device& device : devices) {
    if (!text.empty()) text += ' ';
    text += device.bus_id.size() > 7 ? device.bus_id.substr(5, device.bus_id.size() - 5) : "?";
    if (!device.below.empty()) text += '[' + tree_of(device.below) + ']';
  }
  return text;
}
inline std::string tree_of(const Inventory& host) {
  std::string text;
  for (const NumaNode& node : host.numa_nodes) {
    text += fmt::format("{}: {}; ", shown(node.id), tree_of(node.devices));
  }
  return text + "unplaced: " + tree_of(host.unplaced);
}

inline std::string file_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// A text as UTF-16 with a byte order mark, as Windows tools write it. ASCII only.
inline std::string utf16(const std::string& text, bool little_endian = true) {
  std::string result = little_endian ? "\xFF\xFE" : "\xFE\xFF";
  for (const char c : text) {
    if (!little_endian) result += '\0';
    result += c;
    if (little_endian) result += '\0';
  }
  return result;
}

}  // namespace vgsim::vsphere::import::testing
