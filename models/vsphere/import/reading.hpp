#pragma once

#include <cstdint>

#include "models/vsphere/import/vm_facts.hpp"
#include "topology/importers/file_notes.hpp"
#include "topology/machine/import_codes.hpp"
#include "topology/machine/text.hpp"

/// Names that readers of vSphere's files share with those of other dumps.
namespace vgsim::vsphere::import {

namespace codes = topology::import_codes;

using topology::any_number;
using topology::bare_key;
using topology::cpu_ranges;
using topology::FileNotes;
using topology::hex_number;
using topology::Lines;
using topology::lower_case;
using topology::mentions;
using topology::Place;
using topology::printable;
using topology::same_word;
using topology::TextSpan;
using topology::trimmed;
using topology::truth;
using topology::whole_number;
using topology::inventory::kMegabitPerSecond;

/// Sizes that no real machine has, so that a number beyond them is a mistake.
inline constexpr std::int64_t kMostCpus = 65536;
inline constexpr std::int64_t kMostMebibytes = std::int64_t{1} << 32;
inline constexpr std::int64_t kMebibyte = std::int64_t{1} << 20;

}  // namespace vgsim::vsphere::import
