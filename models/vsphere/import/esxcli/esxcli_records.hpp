#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/vsphere/import/reading.hpp"

namespace vgsim::vsphere::import {

struct EsxField {
  std::string key;    ///< bare_key() of the heading: "vendorid"
  std::string value;  ///< printable
  Place place;        ///< of the value
};

/// A record of esxcli: a block of "Key: value" lines, a row of a table, of CSV or JSON,
/// or a line of lspci.
struct EsxRecord {
  std::string head;  ///< line above a block, or the address in front of a line of lspci
  std::string line;  ///< of lspci: the text after the address
  Place place;
  std::vector<EsxField> fields;

  /// Null if it is not there or empty.
  [[nodiscard]] const EsxField* find(std::string_view key) const;
  [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }
};

/// Splits the output of successive esxcli commands; other lines, such as prompts, end a record and
/// are skipped. CSV and JSON (--formatter) must be the whole file. Errors (in `notes`): those of
/// read_vim_json() and CsvReader, E533 for more than 200000 records.
[[nodiscard]] std::vector<EsxRecord> esxcli_records(FileNotes& notes);

}  // namespace vgsim::vsphere::import
