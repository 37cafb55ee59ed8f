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

/// Which command printed a record, by what it has.
[[nodiscard]] EsxCommand command_of(const EsxRecord& record);

/// The member that says which device a record is of; null if none does.
[[nodiscard]] const EsxField* address_field(const EsxRecord& record);

}  // namespace vgsim::vsphere::import
