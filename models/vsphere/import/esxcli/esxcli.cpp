#include "models/vsphere/import/esxcli/esxcli.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "models/vsphere/import/esxcli/esxcli_commands.hpp"
#include "models/vsphere/import/esxcli/esxcli_devices.hpp"
#include "models/vsphere/import/esxcli/esxcli_lspci.hpp"
#include "models/vsphere/import/esxcli/esxcli_records.hpp"
#include "models/vsphere/import/reading.hpp"
#include "models/vsphere/import/utf8_source.hpp"

namespace vgsim::vsphere::import {
namespace {

constexpr std::size_t kMostEsxcliBytes = std::size_t{16} << 20;
constexpr std::size_t kEsxcliStartBytes = std::size_t{64} << 10;

/// A file may hold the output of several esxcli commands, in any formatter, with prompts between.
/// Records are split first; the keys of each identify the command that printed it. Devices of all
/// commands are then joined by PCI address, and placed when all are known.
class EsxReader {
 public:
  explicit EsxReader(const input::SourcePtr& source) : notes_(source), devices_(notes_) {}

  tl::expected<VsphereFacts, input::Diagnostics> read() {
    if (notes_.is_plain_text(kMostEsxcliBytes)) read_host();
    if (notes_.failed()) return tl::unexpected(notes_.errors());
    notes_.tell(host_);
    VsphereFacts facts;
    facts.hosts.push_back(std::move(host_));
    return facts;
  }

 private:
  void read_host() {
    const auto records = esxcli_records(notes_);
    bool recognized = false;
    // Functions first, since others add to them.
    for (const bool functions : {true, false}) {
      for (const EsxRecord& record : records) {
        const EsxCommand command = command_of(record);
        recognized = recognized || command != EsxCommand::kNone;
        if ((command == EsxCommand::kPci) == functions) read_record(command, record);
      }
    }
    devices_.place(host_);
    if (!notes_.failed()) check_content(recognized);
  }

  void check_content(bool recognized) {
    const bool tells = host_.name || host_.model || host_.hypervisor || host_.packages ||
                       host_.memory || host_.driver || !host_.numa_nodes.empty() ||
                       !host_.unplaced.empty();
    if (tells) return;
    if (recognized) {
      notes_.error(codes::kNothingInIt, Place{}, "the file describes neither a device nor the host",
                   "\"esxcli hardware pci list\" of a host with GPUs or NICs");
    } else {
      notes_.error(codes::kNotThisFormat, Place{}, "no output of a known esxcli command",
                   "\"esxcli hardware pci list\"");
    }
  }

  void read_record(EsxCommand command, const EsxRecord& record) {
    switch (command) {
      case EsxCommand::kPci:
        return devices_.read_pci(record);
      case EsxCommand::kPassthrough:
        return devices_.read_passthrough(record);
      case EsxCommand::kGraphics:
      case EsxCommand::kGraphicsStats:
        return devices_.read_graphics(record, host_);
      case EsxCommand::kNics:
        return devices_.read_nic(record);
      case EsxCommand::kLspci:
        return devices_.read_lspci(record);
      default:
        return read_system(command, record);
    }
  }

  void read_system(EsxCommand command, const EsxRecord& record) {
    if (command == EsxCommand::kVersion) {
      std::string_view build = record.find("build")->value;
      constexpr std::string_view kRelease = "Releasebuild-";
      if (build.starts_with(kRelease)) build.remove_prefix(kRelease.size());
      host_.hypervisor = notes_.stated(fmt::format("{} {} build-{}", record.find("product")->value,
                                                   record.find("version")->value, build));
    } else if (command == EsxCommand::kHostName) {
      host_.name = esx_text(record, "fullyqualifieddomainname", notes_);
    } else if (command == EsxCommand::kPlatform) {
      host_.vendor = esx_text(record, "vendorname", notes_);
      host_.model = esx_text(record, "productname", notes_);
    } else if (command == EsxCommand::kCpu) {
      host_.packages = count(record, "cpupackages");
      host_.cores = count(record, "cpucores");
      host_.threads = count(record, "cputhreads");
    } else if (command == EsxCommand::kMemory) {
      read_memory(*record.find("physicalmemory"));
    } else if (command == EsxCommand::kGraphicsHost) {
      notes_.skip("the host's policy of choosing GPUs for vGPUs is not kept",
                  record.find("sharedpassthruassignmentpolicy")->value);
    }
  }

  Maybe<std::int64_t> count(const EsxRecord& record, std::string_view key) {
    const EsxField* field = record.find(key);
    if (field == nullptr) return std::nullopt;
    const auto value = notes_.number(field->value, field->place, "a count of CPUs", 1, kMostCpus);
    if (!value) return std::nullopt;
    return notes_.stated(*value);
  }

  /// "137438953472 Bytes".
  void read_memory(const EsxField& field) {
    const std::string_view value = field.value;
    const std::string_view digits = value.substr(0, value.find(' '));
    const auto bytes =
        notes_.number(digits, field.place, "physical memory", 1, kMostMebibytes * kMebibyte);
    if (bytes) host_.memory = notes_.stated(Bytes{*bytes});
  }

  FileNotes notes_;
  EsxDevices devices_;
  Inventory host_;
};

bool is_esxcli_json(std::string_view text) {
  constexpr std::array<std::string_view, 5> kWords = {"\"VMkernelName\"", "\"AdminStatus\"",
                                                      "\"ConfiguredOwner\"", "\"MemorySizeinKB\"",
                                                      "\"SubVendorID\""};
  return std::ranges::any_of(kWords,
                             [&](std::string_view word) { return text.find(word) != text.npos; });
}

}  // namespace

bool is_esxcli(std::string_view text) {
  std::string start = utf8_start(text, kEsxcliStartBytes);
  if (start.find('\0') != start.npos) return false;
  const std::string_view content = trimmed(start);
  if (content.starts_with('{') ||
      (content.starts_with('[') && trimmed(content.substr(1)).starts_with('{'))) {
    return is_esxcli_json(content);
  }
  if (content.starts_with('<')) return false;
  FileNotes notes(input::make_source("", std::move(start)));
  const auto records = esxcli_records(notes);
  return std::ranges::any_of(records, [](const EsxRecord& record) {
    const EsxCommand command = command_of(record);
    // lspci of Linux prints the same lines, without the names that ESXi gives.
    if (command == EsxCommand::kLspci) return !read_lspci_line(record.line).alias.empty();
    return command != EsxCommand::kNone;
  });
}

tl::expected<VsphereFacts, input::Diagnostics> read_esxcli(const input::SourcePtr& source) {
  return EsxReader(in_utf8(source)).read();
}

}  // namespace vgsim::vsphere::import
