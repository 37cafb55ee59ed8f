#pragma once

#include <string>
#include <vector>

namespace vgsim::cli::doctor {

enum class State {
  kOk,
  kNote,   ///< worth knowing; simulations run all the same
  kWrong,  ///< something that simulations need does not work
};

[[nodiscard]] const char* to_string(State state);

/// What was found of one thing.
struct Check {
  State state = State::kOk;
  std::string subject;  ///< "configs folder"
  std::string found;
  std::string advice;  ///< what to do; empty where nothing is
};

/// The program and the libraries that it is built of.
[[nodiscard]] std::vector<Check> check_program(const std::string& program);

/// The folder of catalogue, networks and parameters: whether every file of it can be read, what
/// there is, and of when.
[[nodiscard]] std::vector<Check> check_configs(const std::string& config_dir);

/// Memory, cores, the working folder and the terminal.
[[nodiscard]] std::vector<Check> check_machine();

/// What `vgsim probe` needs: driver, GPUs and NCCL. Never wrong: simulations need none of it.
[[nodiscard]] std::vector<Check> check_gpus();

}  // namespace vgsim::cli::doctor
