#include "models/vsphere/import/rvtools/rvtools.hpp"

#include <fmt/core.h>

#include <map>
#include <string>
#include <utility>

#include "models/vsphere/import/pci_ids.hpp"
#include "models/vsphere/import/reading.hpp"
#include "models/vsphere/import/rvtools/rvtools_columns.hpp"
#include "models/vsphere/import/table/csv.hpp"
#include "models/vsphere/import/utf8_source.hpp"

namespace vgsim::vsphere::import {
namespace {

constexpr std::size_t kMostRvtoolsBytes = std::size_t{64} << 20;
constexpr std::size_t kRvtoolsStartBytes = std::size_t{16} << 10;
constexpr std::size_t kMostRvtoolsHosts = 4096;
constexpr std::size_t kMostNics = 4096;
constexpr std::size_t kMostRows = 200'000;
constexpr std::int64_t kMostHostMebibytes = std::int64_t{64} << 20;
constexpr std::int64_t kMostRvtoolsMegabits = 100'000'000;

bool is_yes(const CsvCell* cell) {
  if (cell == nullptr) return false;
  const std::string word = lower_case(trimmed(cell->text));
  return truth(word).value_or(false) || word == "wahr" || word == "vrai";
}

/// "VMXNET 3", "VirtualVmxnet3", "SR-IOV" in the words of VmAdapter.
std::string adapter_type(std::string_view text) {
  constexpr std::string_view kVirtual = "virtual";
  std::string word = bare_key(text);
  if (word.starts_with(kVirtual)) word.erase(0, kVirtual.size());
  if (word.find("sriov") != word.npos) return "sriov";
  if (word.find("rdma") != word.npos) return "pvrdma";
  return word;
}

/// A file is one tab of an export: hosts, VMs, NICs of either; its columns identify the tab.
/// Headings, separators of cells and of thousands, and the unit of memory differ between releases
/// and languages of Windows; the columns reader normalizes them as far as a number alone allows.
class RvReader {
 public:
  explicit RvReader(const input::SourcePtr& source) : notes_(source) {}

  tl::expected<VsphereFacts, input::Diagnostics> read() {
    if (notes_.is_plain_text(kMostRvtoolsBytes)) read_table();
    if (notes_.failed()) return tl::unexpected(notes_.errors());
    notes_.tell(facts_);
    return std::move(facts_);
  }

 private:
  void read_table() {
    CsvReader csv(notes_, csv_separator(notes_.text()));
    CsvRow row;
    const bool has_headings = csv.next(row);
    auto columns = has_headings ? rvtools_columns(row) : std::nullopt;
    if (!columns) {
      if (notes_.failed()) return;
      return notes_.error(codes::kNotThisFormat, Place{0, 1},
                          "the first line does not contain the headings of an RVTools tab",
                          "vHost, vInfo, vNetwork or vNIC");
    }
    columns_ = std::move(*columns);
    std::size_t rows = 0;
    while (csv.next(row)) {
      if (++rows > kMostRows || facts_.hosts.size() > kMostRvtoolsHosts) {
        return notes_.error(
            codes::kTooMuch, row.front().place,
            fmt::format("more than {} hosts or {} rows", kMostRvtoolsHosts, kMostRows));
      }
      read_row(row);
    }
    if (notes_.failed() || !facts_.hosts.empty() || !facts_.vms.empty()) return;
    notes_.error(codes::kNothingInIt, Place{0, 1},
                 rows == 0 ? "the file contains only headings, no host or VM"
                           : "the file contains no host or VM",
                 "at least one row with a name");
  }

  void read_row(const CsvRow& row) {
    switch (columns_.tab) {
      case RvTab::kHost:
        return read_host(row);
      case RvTab::kInfo:
        return read_vm(row);
      case RvTab::kNetwork:
        return read_adapter(row);
      case RvTab::kNic:
        return read_nic(row);
    }
  }

  Maybe<std::string> text(const CsvRow& row, const char* column) {
    const CsvCell* cell = columns_.cell(row, column);
    std::string value = cell == nullptr ? std::string() : printable(cell->text);
    if (value.empty()) return std::nullopt;
    return notes_.stated(std::move(value));
  }

  Maybe<std::int64_t> number(const CsvRow& row, const char* column, std::int64_t max) {
    const CsvCell* cell = columns_.cell(row, column);
    if (cell == nullptr) return std::nullopt;
    const auto value = locale_number(cell->text);
    if (!value || *value > max) {
      notes_.error(codes::kBadValue, cell->place,
                   fmt::format("{} is \"{}\"", column, printable(cell->text)),
                   fmt::format("a whole number up to {}", max));
      return std::nullopt;
    }
    if (*value == 0) return std::nullopt;
    return notes_.stated(*value);
  }

  Maybe<Bytes> memory(const CsvRow& row, const std::string& of) {
    const auto size = number(row, "memory", kMostMebibytes * kMebibyte);
    if (!size) return std::nullopt;
    if (size->value <= kMostHostMebibytes) return notes_.stated(Bytes{size->value * kMebibyte});
    notes_.assume("memory is taken as bytes, since it would be more than 64 TiB in MiB", of);
    return Stated<Bytes>{Bytes{size->value}, kAssumed};
  }

  /// Rows without a name are skipped.
  bool is_named(const Maybe<std::string>& name, const CsvRow& row) {
    if (name) return true;
    if (row.size() > 1) {
      notes_.warning(codes::kOddValue, row.front().place, "a row without a name is skipped");
    }
    return false;
  }

  void read_host(const CsvRow& row) {
    Inventory host;
    host.name = text(row, "host");
    if (!is_named(host.name, row)) return;
    host.vendor = text(row, "vendor");
    host.model = text(row, "model");
    host.cpu_name = text(row, "cpu");
    host.packages = number(row, "packages", kMostCpus);
    host.cores = number(row, "cores", kMostCpus);
    host.memory = memory(row, host.name->value);
    host.hypervisor = text(row, "product");
    notes_.skip("RVTools has no tab of PCI devices, so GPUs are unknown");
    notes_.tell(host);
    facts_.hosts.push_back(std::move(host));
  }

  bool is_no_vm(const CsvRow& row, const std::string& name) {
    const bool is_template = is_yes(columns_.cell(row, "template"));
    const bool is_placeholder = is_yes(columns_.cell(row, "placeholder"));
    if (is_template || is_placeholder) {
      notes_.skip("templates and placeholders are omitted, since they never run", name);
    }
    return is_template || is_placeholder;
  }

  void read_power(const CsvRow& row, VmFacts& vm) {
    const CsvCell* power = columns_.cell(row, "power");
    if (power != nullptr) vm.powered_on = notes_.stated(bare_key(power->text) == "poweredon");
  }

  void read_vm(const CsvRow& row) {
    VmFacts vm;
    vm.name = text(row, "vm");
    if (!is_named(vm.name, row) || is_no_vm(row, vm.name->value)) return;
    vm.host = text(row, "host");
    read_power(row, vm);
    vm.vcpus = number(row, "cpus", kMostCpus);
    vm.memory = memory(row, vm.name->value);
    vm.firmware = text(row, "firmware");
    vm.latency_sensitivity = text(row, "latency");
    vm.guest_os = text(row, "os");
    if (!vm.guest_os) vm.guest_os = text(row, "os of tools");
    read_version(row, vm);
    facts_.vms.push_back(std::move(vm));
  }

  void read_version(const CsvRow& row, VmFacts& vm) {
    const CsvCell* cell = columns_.cell(row, "version");
    if (cell == nullptr) return;
    const std::string_view word = trimmed(cell->text);
    const std::string_view digits = word.substr(word.find_last_not_of("0123456789") + 1);
    const auto version = notes_.number(digits, cell->place, "hardware version", 1, 999);
    if (version) vm.hardware_version = notes_.stated(*version);
  }

  void read_adapter(const CsvRow& row) {
    const auto name = text(row, "vm");
    if (!is_named(name, row) || is_no_vm(row, name->value)) return;
    const auto host = text(row, "host");
    const auto uuid = text(row, "uuid");
    const std::string key =
        uuid ? uuid->value : fmt::format("{}\n{}", name->value, host ? host->value : "");
    const auto [known, is_new] = vm_index_.try_emplace(key, facts_.vms.size());
    if (is_new) {
      VmFacts vm;
      vm.name = name;
      vm.host = host;
      read_power(row, vm);
      facts_.vms.push_back(std::move(vm));
    }
    VmAdapter adapter;
    if (const auto label = text(row, "label")) adapter.label = label->value;
    if (const auto type = text(row, "adapter")) {
      adapter.type = notes_.stated(adapter_type(type->value));
    }
    adapter.network = text(row, "network");
    facts_.vms[known->second].adapters.push_back(std::move(adapter));
  }

  void read_nic(const CsvRow& row) {
    const auto name = text(row, "host");
    if (!is_named(name, row)) return;
    const auto [known, is_new] = host_index_.try_emplace(name->value, facts_.hosts.size());
    if (is_new) {
      facts_.hosts.emplace_back();
      facts_.hosts.back().name = name;
    }
    Inventory& host = facts_.hosts[known->second];
    const CsvCell* pci = columns_.cell(row, "pci");
    Device device;
    device.kind = DeviceKind::kNic;
    device.bus_id = pci == nullptr ? std::string() : hex_bus_id(pci->text);
    device.driver = text(row, "driver");
    Port port;
    port.name = text(row, "device");
    if (const auto megabits = number(row, "speed", kMostRvtoolsMegabits)) {
      port.rate = notes_.stated(megabits->value * kMegabitPerSecond);
    }
    if (device.bus_id.empty()) {
      notes_.skip("NICs without a PCI address are omitted", port.name ? port.name->value : "");
      return;
    }
    if (host.unplaced.size() >= kMostNics) {
      return notes_.error(codes::kTooMuch, pci->place,
                          fmt::format("more than {} NICs of a host", kMostNics));
    }
    device.ports.push_back(std::move(port));
    host.unplaced.push_back(std::move(device));
  }

  FileNotes notes_;
  RvColumns columns_;
  VsphereFacts facts_;
  std::map<std::string, std::size_t> vm_index_;
  std::map<std::string, std::size_t> host_index_;
};

}  // namespace

bool is_rvtools(std::string_view text) {
  const std::string start = utf8_start(text, kRvtoolsStartBytes);
  FileNotes notes(input::make_source("", start));
  CsvReader csv(notes, csv_separator(start));
  CsvRow row;
  return csv.next(row) && row.size() >= 5 && rvtools_columns(row).has_value();
}

tl::expected<VsphereFacts, input::Diagnostics> read_rvtools(const input::SourcePtr& source) {
  return RvReader(in_utf8(source)).read();
}

}  // namespace vgsim::vsphere::import
