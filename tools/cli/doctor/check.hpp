#pragma once

#include <string>
#include <vector>

namespace vgsim::cli::doctor {

enum class State {
  kOk,
  kNote,   ///< does not affect simulations
  kWrong,  ///< simulations cannot run
};

[[nodiscard]] const char* to_string(State state);

/// A finding of the check.
struct Check {
  State state = State::kOk;
  std::string subject;  ///< "configs folder"
  std::string found;
  std::string advice;  ///< what to do; empty: nothing
};

/// The program and its libraries.
[[nodiscard]] std::vector<Check> check_program(const std::string& program);

/// The configuration folder: whether every file can be read, its content, and its date.
[[nodiscard]] std::vector<Check> check_configs(const std::string& config_dir);

/// Memory, cores, the working folder and the terminal.
[[nodiscard]] std::vector<Check> check_machine();

/// Requirements of `vgsim probe`: driver, GPUs and NCCL. Never kWrong: simulations do not need
/// them.
[[nodiscard]] std::vector<Check> check_gpus();

}  // namespace vgsim::cli::doctor
