#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <string>

namespace vgsim::fuzz {

/// Makes damaged files one after the other and has each tried, until a test fails: 10,000, or as
/// many as $VGSIM_FUZZ_SECONDS take. The files are the same for every run, unless $VGSIM_FUZZ_SEED
/// says another. The one that fails, crashes or takes ten minutes is kept; `name` is part of its
/// name.
void try_damaged(const std::string& name,
                 const std::function<std::string(std::mt19937_64&)>& damaged,
                 const std::function<void(const std::string&)>& attempt);

}  // namespace vgsim::fuzz
