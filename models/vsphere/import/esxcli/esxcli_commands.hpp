#pragma once

#include <cstdint>

#include "models/vsphere/import/esxcli/esxcli_records.hpp"

namespace vgsim::vsphere::import {

/// Commands whose output is read.
enum class EsxCommand : std::uint8_t {
  kNone,
  kPci,
  kPassthrough,
  kGraphics,
  kGraphicsStats,
  kGraphicsHost,
  kNics,
  kLspci,
  kVersion,
  kHostName,
  kPlatform,
  kCpu,
  kMemory,
};

/// The command that printed a record, by its keys.
[[nodiscard]] EsxCommand command_of(const EsxRecord& record);

/// The member that identifies the device of a record; null if there is none.
[[nodiscard]] const EsxField* address_field(const EsxRecord& record);

}  // namespace vgsim::vsphere::import
