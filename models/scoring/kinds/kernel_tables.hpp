#pragma once

#include <vector>

#include "models/scoring/case_kind.hpp"
#include "models/scoring/kinds/kernel_table.hpp"

namespace vgsim::scoring {

/// A case contains all kernels of a kind ("products", "short_products" with fewer rows than in
/// training, "attention") on one GPU with operands of one type; its id is "products/l40s/bf16".
[[nodiscard]] std::vector<Case> kernel_cases(const std::vector<MeasuredKernel>& kernels);

}  // namespace vgsim::scoring
