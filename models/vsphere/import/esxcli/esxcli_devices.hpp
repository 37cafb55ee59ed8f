#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "models/vsphere/import/esxcli/esxcli_records.hpp"
#include "models/vsphere/import/host_functions.hpp"
#include "models/vsphere/import/reading.hpp"

namespace vgsim::vsphere::import {

/// Collects the devices of a host from the output of esxcli and lspci. Each reader takes a record
/// of the command of its name, which command_of() has recognized.
class EsxDevices {
 public:
  explicit EsxDevices(FileNotes& notes) : notes_(notes), functions_(notes) {}

  void read_pci(const EsxRecord& record);
  void read_passthrough(const EsxRecord& record);
  /// Of "graphics device list" and "graphics device stats list".
  void read_graphics(const EsxRecord& record, Inventory& host);
  void read_nic(const EsxRecord& record);
  void read_lspci(const EsxRecord& record);

  /// Moves all to the host.
  void place(Inventory& host);

 private:
  [[nodiscard]] Maybe<std::string> id(const EsxRecord& record, std::string_view key);
  [[nodiscard]] std::string bus_id(const EsxRecord& record);
  void read_numa_node(const EsxRecord& record, topology::inventory::Device& device);
  void read_kernel_name(const EsxRecord& record, PciFunction& function);
  void read_gpu(const EsxRecord& record, const std::string& address, topology::inventory::Gpu& gpu);
  void read_lspci_ids(const EsxRecord& record, topology::inventory::Device& device);
  void add_port(const std::string& name, topology::inventory::Device& device);

  FileNotes& notes_;
  HostFunctions functions_;
  std::map<std::string, std::int64_t> virtual_functions_;  ///< of physical ones by bus id
};

/// The value of a field; "None" is none.
[[nodiscard]] Maybe<std::string> esx_text(const EsxRecord& record, std::string_view key,
                                          const FileNotes& notes);

}  // namespace vgsim::vsphere::import
