#pragma once

#include <string>
#include <tl/expected.hpp>
#include <variant>
#include <vector>

#include "models/kernels/attention.hpp"
#include "models/kernels/matrix_product.hpp"
#include "topology/catalog/catalog.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::scoring {

/// A measured kernel.
struct MeasuredKernel {
  std::string gpu;   ///< catalogue name
  std::string type;  ///< of the operands: "bf16", "fp16", "fp8"
  std::variant<kernels::MatrixProduct, kernels::Attention> work;
  double seconds = 0;
};

/// Reads a table with a line for each kernel. Matrix products have the columns gpu, dtype, m, n, k
/// and time_us; causal attention in the forward pass has gpu, dtype, batch, tokens, heads,
/// kv_heads, head_size and time_us. Other columns are ignored. Reports all errors at once.
[[nodiscard]] tl::expected<std::vector<MeasuredKernel>, input::Diagnostics> read_kernel_table(
    const input::SourcePtr& file, const topology::Catalog& catalog);

}  // namespace vgsim::scoring
