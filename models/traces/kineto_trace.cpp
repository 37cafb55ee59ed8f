#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "models/traces/trace_file.hpp"
#include "models/traces/trace_readers.hpp"

namespace vgsim::traces {
namespace {

using nlohmann::json;

double number(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_number() ? found->get<double>() : 0.0;
}

std::string text(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

bool starts_with(const std::string& name, std::string_view prefix) {
  return name.rfind(prefix, 0) == 0;
}

TensorShape event_shape(const json& dims) {
  TensorShape extents;
  for (const json& extent : dims) {
    if (extent.is_number_integer()) extents.push_back(extent.get<std::int64_t>());
  }
  return extents;
}

/// "Input type" names the element type of tensors, and says otherwise what else an argument is.
bool is_tensor(const std::string& type) {
  return !type.empty() && type != "Scalar" && type != "ScalarList" && type != "TensorList" &&
         !starts_with(type, "GenericList");
}

/// What backward passes of convolutions read first is the gradient of their output.
void add_outputs(std::vector<Operation>& operations) {
  std::map<std::int64_t, TensorShape> gradients;
  for (const Operation& operation : operations) {
    if (operation.sequence < 0 || !starts_with(operation.name, "ConvolutionBackward")) continue;
    if (!operation.inputs.empty() && operation.inputs[0]) {
      gradients[operation.sequence] = operation.inputs[0]->shape;
    }
  }
  for (Operation& operation : operations) {
    const auto found = gradients.find(operation.sequence);
    if (found != gradients.end() && operation.outputs.empty() &&
        operation.name.find("conv") != std::string::npos) {
      operation.outputs.push_back(found->second);
    }
  }
}

}  // namespace

void KinetoReader::take(const json& event) {
  if (!event.is_object()) return;
  const std::string category = text(event, "cat");
  if (text(event, "ph") != "X") return;
  if (category == "cpu_op") take_operation(event);
  if (category == "user_annotation") take_annotation(event);
  if (category == "kernel") take_kernel(event);
}

void KinetoReader::take_operation(const json& event) {
  if (timed_.size() >= kMaxOperations) throw TraceTooLarge("more than 4,000,000 operations");
  TimedOperation timed;
  timed.start = number(event, "ts");
  timed.end = timed.start + number(event, "dur");
  Operation& operation = timed.operation;
  operation.name = text(event, "name");
  const auto thread = event.find("tid");
  if (thread != event.end() && thread->is_number_integer()) {
    operation.thread = thread->get<std::int64_t>();
  }
  const auto args = event.find("args");
  if (args != event.end() && args->is_object()) {
    const auto sequence = args->find("Sequence number");
    if (sequence != args->end() && sequence->is_number_integer()) {
      operation.sequence = sequence->get<std::int64_t>();
    }
    const auto dims = args->find("Input Dims");
    const auto types = args->find("Input type");
    if (dims != args->end() && dims->is_array() && types != args->end() && types->is_array()) {
      for (std::size_t i = 0; i < dims->size(); ++i) {
        operation.inputs.emplace_back();
        const std::string type =
            i < types->size() && (*types)[i].is_string() ? (*types)[i].get<std::string>() : "";
        if (!is_tensor(type) || !(*dims)[i].is_array()) continue;
        operation.inputs.back() = TensorUse{event_shape((*dims)[i]), type, 0};
      }
    }
    const auto literals = args->find("Concrete Inputs");
    if (literals != args->end() && literals->is_array()) {
      for (const json& literal : *literals) {
        operation.literals.push_back(literal.is_string() ? literal.get<std::string>() : "");
      }
    }
  }
  timed_.push_back(std::move(timed));
}

void KinetoReader::take_annotation(const json& event) {
  const std::string name = text(event, "name");
  if (starts_with(name, "ProfilerStep#")) {
    trace_.step_seconds.push_back(number(event, "dur") / 1e6);
    step_marks_.push_back(number(event, "ts"));
  }
  if (starts_with(name, "Optimizer.step#")) optimizer_starts_.push_back(number(event, "ts"));
  const bool call = starts_with(name, "nccl:") || starts_with(name, "gloo:");
  const auto args = event.find("args");
  if (!call || args == event.end()) return;
  const auto dims = args->find("Input Dims");
  const auto types = args->find("Input type");
  if (dims == args->end() || types == args->end() || !dims->is_array()) return;
  TracedCollective collective{name.substr(5), 0};
  for (std::size_t i = 0; i < dims->size() && i < types->size(); ++i) {
    if (!(*types)[i].is_string()) continue;
    collective.bytes +=
        elements(event_shape((*dims)[i])) * type_bytes((*types)[i].get<std::string>());
  }
  trace_.collectives.push_back(std::move(collective));
}

void KinetoReader::take_kernel(const json& event) {
  const double seconds = number(event, "dur") / 1e6;
  const bool nccl = text(event, "name").find("nccl") != std::string::npos;
  (nccl ? trace_.collective_seconds : trace_.kernel_seconds) += seconds;
  const auto args = event.find("args");
  if (!nccl || args == event.end() || !args->contains("In msg nelems")) return;
  trace_.collectives.push_back({text(*args, "Collective name"),
                                number(*args, "In msg nelems") * type_bytes(text(*args, "dtype"))});
}

Trace KinetoReader::finish(const json& rest) {
  trace_.format = "PyTorch profiler trace (Kineto)";
  const auto devices = rest.find("deviceProperties");
  if (devices != rest.end() && devices->is_array() && !devices->empty()) {
    trace_.gpu = text(devices->front(), "name");
  }
  const auto job = rest.find("distributedInfo");
  if (job != rest.end() && job->is_object()) {
    trace_.ranks = static_cast<std::int64_t>(number(*job, "world_size"));
  }
  if (trace_.step_seconds.empty()) {
    std::sort(optimizer_starts_.begin(), optimizer_starts_.end());
    for (std::size_t i = 1; i < optimizer_starts_.size(); ++i) {
      trace_.step_seconds.push_back((optimizer_starts_[i] - optimizer_starts_[i - 1]) / 1e6);
    }
  }
  std::stable_sort(timed_.begin(), timed_.end(), [](const auto& a, const auto& b) {
    return a.start != b.start ? a.start < b.start : a.end > b.end;
  });
  for (const double mark : step_marks_) {
    const auto first = std::lower_bound(timed_.begin(), timed_.end(), mark,
                                        [](const auto& a, double time) { return a.start < time; });
    trace_.step_starts.push_back(static_cast<std::size_t>(first - timed_.begin()));
  }
  std::sort(trace_.step_starts.begin(), trace_.step_starts.end());
  std::map<std::int64_t, std::vector<std::size_t>> open;  // by thread, innermost last
  for (std::size_t i = 0; i < timed_.size(); ++i) {
    auto& callers = open[timed_[i].operation.thread];
    while (!callers.empty() && timed_[callers.back()].end <= timed_[i].start) callers.pop_back();
    if (!callers.empty()) timed_[i].operation.parent = callers.back();
    callers.push_back(i);
  }
  for (TimedOperation& timed : timed_) trace_.operations.push_back(std::move(timed.operation));
  add_outputs(trace_.operations);
  return std::move(trace_);
}

}  // namespace vgsim::traces
