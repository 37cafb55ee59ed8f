#include "models/vsphere/facts/read_checked.hpp"

#include "topology/input/json_reader.hpp"

namespace vgsim::vsphere {

tl::expected<input::Value, input::Diagnostics> read_checked(const input::SourcePtr& file,
                                                            input::Shape (*shape)()) {
  const auto document = input::read_json(file);
  if (!document) return tl::unexpected(document.error());
  if (file->checked) return *document;
  input::Diagnostics diagnostics;
  input::check(*document, shape(), diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  return *document;
}

}  // namespace vgsim::vsphere
