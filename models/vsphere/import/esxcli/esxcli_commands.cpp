#include "models/vsphere/import/esxcli/esxcli_commands.hpp"

#include "models/vsphere/import/pci_ids.hpp"

namespace vgsim::vsphere::import {
namespace {

bool is_of_device(const EsxRecord& record) {
  return address_field(record) != nullptr || !hex_bus_id(record.head).empty();
}

}  // namespace

EsxCommand command_of(const EsxRecord& record) {
  const auto has = [&](std::string_view key) { return record.has(key); };
  if (!record.line.empty()) return EsxCommand::kLspci;
  if (is_of_device(record)) {
    if (has("graphicstype") || has("memorysizeinkb")) return EsxCommand::kGraphics;
    if (has("vendorid") || has("deviceclass") || has("parentdevice") || has("passthrucapable") ||
        has("currentowner")) {
      return EsxCommand::kPci;
    }
    if (has("driverversion") || has("utilization")) return EsxCommand::kGraphicsStats;
  }
  const EsxField* id = record.find("deviceid");
  if (id != nullptr && has("enabled") && !hex_bus_id(id->value).empty()) {
    return EsxCommand::kPassthrough;
  }
  if (has("name") && has("pcidevice") && (has("macaddress") || has("linkstatus"))) {
    return EsxCommand::kNics;
  }
  if (has("product") && has("version") && has("build")) return EsxCommand::kVersion;
  if (has("fullyqualifieddomainname")) return EsxCommand::kHostName;
  if (has("productname") && has("vendorname")) return EsxCommand::kPlatform;
  if (has("cpupackages") && has("cpucores")) return EsxCommand::kCpu;
  if (has("physicalmemory")) return EsxCommand::kMemory;
  if (has("sharedpassthruassignmentpolicy")) return EsxCommand::kGraphicsHost;
  return EsxCommand::kNone;
}

const EsxField* address_field(const EsxRecord& record) {
  for (const char* key : {"address", "deviceaddress", "pciaddress"}) {
    if (const EsxField* field = record.find(key)) return field;
  }
  return nullptr;
}

}  // namespace vgsim::vsphere::import
