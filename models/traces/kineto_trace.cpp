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

/// Elements of a tensor, or of a list of tensors.
double event_elements(const json& dims) {
  if (!dims.is_array() || dims.empty() || !dims.front().is_array()) {
    return elements(event_shape(dims));
  }
  double sum = 0;
  for (const json& each : dims) sum += elements(event_shape(each));
  return sum;
}

std::int64_t thread_of(const json& event) {
  const auto thread = event.find("tid");
  return thread != event.end() && thread->is_number_integer() ? thread->get<std::int64_t>() : 0;
}

/// "Input type" is the element type of a tensor, and the kind of any other argument.
bool is_tensor(const std::string& type) {
  return !type.empty() && type != "Scalar" && type != "ScalarList" && type != "TensorList" &&
         !starts_with(type, "GenericList");
}

/// The first input of a convolution's backward pass is the gradient of its output.
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
  if (category == "cuda_runtime" || category == "cuda_driver") launches_.take_call(event);
}

void KinetoReader::take_operation(const json& event) {
  if (timed_.size() >= kMaxOperations) throw TraceTooLarge("more than 4,000,000 operations");
  TimedOperation timed;
  timed.start = number(event, "ts");
  timed.end = timed.start + number(event, "dur");
  Operation& operation = timed.operation;
  operation.name = text(event, "name");
  operation.thread = thread_of(event);
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
  drop_callers_arguments(operation);
  if (args != event.end()) take_stated_call(*args, timed.start, stated_calls_);
  timed_.push_back(std::move(timed));
}

void KinetoReader::take_annotation(const json& event) {
  const std::string name = text(event, "name");
  if (starts_with(name, "ProfilerStep#")) {
    trace_.step_seconds.push_back(number(event, "dur") / 1e6);
    step_marks_.push_back(number(event, "ts"));
  }
  if (starts_with(name, "Optimizer.step#")) {
    const double start = number(event, "ts");
    optimizer_steps_.push_back({start, start + number(event, "dur"), thread_of(event)});
  }
  if (starts_with(name, "nccl:") || starts_with(name, "gloo:")) take_call(event, name.substr(5));
}

void KinetoReader::take_call(const json& event, const std::string& name) {
  const auto args = event.find("args");
  if (args == event.end() || !args->is_object()) return;
  const auto dims = args->find("Input Dims");
  const auto types = args->find("Input type");
  if (dims == args->end() || types == args->end() || !dims->is_array()) return;
  TracedCollective collective{name, 0, 0, {}, 0};
  for (std::size_t i = 0; i < dims->size() && i < types->size(); ++i) {
    if (!(*types)[i].is_string()) continue;
    collective.bytes += event_elements((*dims)[i]) * type_bytes((*types)[i].get<std::string>());
  }
  calls_.push_back({std::move(collective), number(event, "ts")});
}

void KinetoReader::take_kernel(const json& event) {
  const double seconds = number(event, "dur") / 1e6;
  const bool nccl = text(event, "name").find("nccl") != std::string::npos;
  (nccl ? trace_.collective_seconds : trace_.kernel_seconds) += seconds;
  if (!nccl) return launches_.take_kernel(event);
  const auto args = event.find("args");
  if (args != event.end()) take_stated_call(*args, number(event, "ts"), kernel_calls_);
}

/// For newer releases, which record elements, type and group of a call.
void KinetoReader::take_stated_call(const json& args, double start, std::vector<TimedCall>& calls) {
  if (!args.is_object()) return;
  const double sent = number(args, "In msg nelems");
  const std::string name = text(args, "Collective name");
  if (name.empty() || sent <= 0) return;
  calls.push_back(
      {{name, sent * type_bytes(text(args, "dtype")), 0, text(args, "Process Group Name"),
        static_cast<std::int64_t>(std::clamp(number(args, "Group size"), 0.0, 1e9))},
       start});
}

/// The first operation that starts at that time or later.
std::size_t KinetoReader::first_after(double time) const {
  const auto first = std::lower_bound(timed_.begin(), timed_.end(), time,
                                      [](const auto& a, double at) { return a.start < at; });
  return static_cast<std::size_t>(first - timed_.begin());
}

void KinetoReader::link_callers() {
  std::map<std::int64_t, std::vector<std::size_t>> open;  // by thread, innermost last
  for (std::size_t i = 0; i < timed_.size(); ++i) {
    auto& callers = open[timed_[i].operation.thread];
    while (!callers.empty() && timed_[callers.back()].end <= timed_[i].start) callers.pop_back();
    if (!callers.empty()) timed_[i].operation.parent = callers.back();
    callers.push_back(i);
  }
}

void KinetoReader::mark_optimizer_steps() {
  for (const Span& step : optimizer_steps_) {
    for (std::size_t i = first_after(step.start); i < timed_.size() && timed_[i].start < step.end;
         ++i) {
      Operation& operation = timed_[i].operation;
      operation.optimizer = operation.optimizer || operation.thread == step.thread;
    }
  }
}

/// Newer releases record a call up to three times: on the host with and without its group, and with
/// its kernel.
void KinetoReader::finish_calls() {
  std::vector<TimedCall>& of_host = stated_calls_.empty() ? calls_ : stated_calls_;
  std::vector<TimedCall>& calls = of_host.empty() ? kernel_calls_ : of_host;
  std::stable_sort(calls.begin(), calls.end(),
                   [](const auto& a, const auto& b) { return a.start < b.start; });
  for (TimedCall& each : calls) {
    each.call.operation = first_after(each.start);
    trace_.collectives.push_back(std::move(each.call));
  }
}

Trace KinetoReader::finish(const json& rest) {
  trace_.format = "PyTorch profiler trace (Kineto)";
  trace_.profile = true;
  const auto devices = rest.find("deviceProperties");
  if (devices != rest.end() && devices->is_array() && !devices->empty()) {
    trace_.gpu = text(devices->front(), "name");
  }
  const auto job = rest.find("distributedInfo");
  if (job != rest.end() && job->is_object()) {
    trace_.ranks = static_cast<std::int64_t>(number(*job, "world_size"));
  }
  if (trace_.step_seconds.empty()) {
    std::sort(optimizer_steps_.begin(), optimizer_steps_.end(),
              [](const Span& a, const Span& b) { return a.start < b.start; });
    for (std::size_t i = 1; i < optimizer_steps_.size(); ++i) {
      trace_.step_seconds.push_back((optimizer_steps_[i].start - optimizer_steps_[i - 1].start) /
                                    1e6);
    }
  }
  std::stable_sort(timed_.begin(), timed_.end(), [](const auto& a, const auto& b) {
    return a.start != b.start ? a.start < b.start : a.end > b.end;
  });
  for (const double mark : step_marks_) trace_.step_starts.push_back(first_after(mark));
  std::sort(trace_.step_starts.begin(), trace_.step_starts.end());
  link_callers();
  mark_optimizer_steps();
  finish_calls();
  std::vector<HostSpan> spans;
  for (const TimedOperation& timed : timed_) {
    spans.push_back({timed.start, timed.end, timed.operation.thread, timed.operation.parent});
  }
  trace_.kernels = launches_.join(spans);
  for (TimedOperation& timed : timed_) trace_.operations.push_back(std::move(timed.operation));
  add_outputs(trace_.operations);
  return std::move(trace_);
}

}  // namespace vgsim::traces
