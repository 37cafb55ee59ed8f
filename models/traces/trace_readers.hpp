#pragma once

#include <istream>
#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/traces/kernel_launches.hpp"
#include "models/traces/operation.hpp"

namespace vgsim::traces {

/// Thrown if a text has the wrong format or is broken.
class TraceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Thrown beyond the limits of trace_file.hpp.
class TraceTooLarge : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Either form of PyTorch's JSON; throws TraceError, TraceTooLarge.
[[nodiscard]] Trace read_json_trace(std::istream& text);

/// Chakra's protobuf messages; throws TraceError, TraceTooLarge.
[[nodiscard]] Trace read_chakra_trace(std::istream& data);

/// The elements of the array "traceEvents" in Kineto's JSON, in order.
class KinetoReader {
 public:
  void take(const nlohmann::json& event);
  /// `rest`: the members of the file besides that array.
  [[nodiscard]] Trace finish(const nlohmann::json& rest);

 private:
  struct TimedOperation {
    Operation operation;
    double start = 0;  ///< microseconds, as all times here
    double end = 0;
  };
  struct Span {
    double start = 0;
    double end = 0;
    std::int64_t thread = 0;
  };
  struct TimedCall {
    TracedCollective call;
    double start = 0;
  };

  void take_operation(const nlohmann::json& event);
  void take_annotation(const nlohmann::json& event);
  void take_call(const nlohmann::json& event, const std::string& name);
  void take_kernel(const nlohmann::json& event);
  static void take_stated_call(const nlohmann::json& args, double start,
                               std::vector<TimedCall>& calls);
  [[nodiscard]] std::size_t first_after(double time) const;
  void link_callers();
  void mark_optimizer_steps();
  void finish_calls();

  Trace trace_;
  std::vector<TimedOperation> timed_;
  std::vector<double> step_marks_;
  std::vector<Span> optimizer_steps_;
  std::vector<TimedCall> calls_;         ///< as called by the host
  std::vector<TimedCall> stated_calls_;  ///< as called by the host, with their groups
  std::vector<TimedCall> kernel_calls_;  ///< from NCCL's kernels
  KernelLaunches launches_;
};

/// The elements of the array "nodes" of an execution trace, in order.
class ExecutionTraceReader {
 public:
  void take(const nlohmann::json& node);
  [[nodiscard]] Trace finish(const nlohmann::json& rest);

  struct Node {
    Operation operation;
    std::int64_t id = 0;
    std::int64_t parent = 0;
  };

 private:
  std::vector<Node> nodes_;
};

/// Operations in order of their ids, linked to their parents.
[[nodiscard]] std::vector<Operation> in_order(std::vector<ExecutionTraceReader::Node> nodes);

/// The tensors among the arguments of an operation, and their text.
void read_tensors(const nlohmann::json& values, const nlohmann::json& shapes,
                  const nlohmann::json& types, Operation& operation);
void read_output_shapes(const nlohmann::json& shapes, Operation& operation);

/// Inside TorchScript the arguments of callers precede those of an operation; they are removed.
void drop_callers_arguments(Operation& operation);

/// Adds the call if the operation belongs to a collective library.
void add_collective(const Operation& operation, std::size_t index, Trace& trace);

/// Bytes of an element of a PyTorch type; 4 if unknown.
[[nodiscard]] double type_bytes(const std::string& type);

}  // namespace vgsim::traces
