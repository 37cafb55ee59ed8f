#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace vgsim::test {

using nlohmann::json;

/// One call of PyTorch, from which traces in every format are written.
struct Call {
  std::string name;
  int parent = -1;              ///< index of the caller
  json inputs = json::array();  ///< a shape, or a number, for each argument
  json output = nullptr;        ///< a shape
  int thread = 1;
  int tensor = 0;  ///< number of the first input
};

/// A pass of two samples of 3 x 8 x 8 through conv 3x3 to 4 channels, batch norm, and a linear
/// layer of 256 to 10 elements; then the gradients, from the last layer to the first.
inline std::vector<Call> small_network() {
  const std::string backward = "autograd::engine::evaluate_function: ";
  return {
      {"aten::conv2d", -1, {{2, 3, 8, 8}, {4, 3, 3, 3}, nullptr, 1, 1, 1}, {2, 4, 8, 8}, 1, 11},
      {"aten::convolution", 0, {{2, 3, 8, 8}, {4, 3, 3, 3}, nullptr, 1, 1, 1}, {2, 4, 8, 8}, 1, 11},
      {"aten::batch_norm", -1, {{2, 4, 8, 8}, {4}, {4}, {4}, {4}}, {2, 4, 8, 8}, 1, 12},
      {"aten::flatten", -1, {{2, 4, 8, 8}}, {2, 256}, 1, 13},
      {"aten::linear", -1, {{2, 256}, {10, 256}, {10}}, {2, 10}, 1, 14},
      {"aten::addmm", 4, {{10}, {2, 256}, {256, 10}}, {2, 10}, 1, 15},
      {backward + "AddmmBackward0", -1, json::array(), nullptr, 2, 0},
      {"aten::mm", 6, {{2, 10}, {10, 256}}, {2, 256}, 2, 16},
      {"aten::mm", 6, {{10, 2}, {2, 256}}, {10, 256}, 2, 17},
      {backward + "ConvolutionBackward0", -1, json::array(), nullptr, 2, 0},
      {"aten::convolution_backward", 9, {{2, 4, 8, 8}, {2, 3, 8, 8}, {4, 3, 3, 3}}, nullptr, 2, 18},
      {backward + "torch::autograd::AccumulateGrad", -1, json::array(), nullptr, 2, 0},
      {"torch::autograd::AccumulateGrad", 11, json::array({json::array({10})}), nullptr, 2, 0},
      {"torch::autograd::AccumulateGrad", 11, json::array({json::array({10, 256})}), nullptr, 2, 0},
      {"torch::autograd::AccumulateGrad", 11, json::array({json::array({4})}), nullptr, 2, 0},
      {"torch::autograd::AccumulateGrad", 11, json::array({json::array({4})}), nullptr, 2, 0},
      {"torch::autograd::AccumulateGrad", 11, json::array({json::array({4, 3, 3, 3})}), nullptr, 2,
       0},
  };
}

/// In the form of ExecutionTraceObserver, with or without Chakra's fields.
inline std::string execution_trace(const std::vector<Call>& calls, bool chakra) {
  json nodes = json::array();
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const Call& call = calls[i];
    json values = json::array();
    json shapes = json::array();
    json types = json::array();
    for (const json& input : call.inputs) {
      const bool tensor = input.is_array();
      values.push_back(tensor ? json{values.empty() ? call.tensor : 0, 1, 0, 1, 4, "cuda:0"}
                              : input);
      shapes.push_back(tensor ? input : json::array());
      types.push_back(tensor ? "Tensor(float)" : "Int");
    }
    json node = {{"id", i + 10}, {"name", call.name}};
    const json outputs = call.output.is_null() ? json::array() : json::array({call.output});
    if (chakra) {
      node["ctrl_deps"] = call.parent < 0 ? 1 : call.parent + 10;
      node["inputs"] = {{"values", values}, {"shapes", shapes}, {"types", types}};
      node["outputs"] = {{"values", json::array()}, {"shapes", outputs}, {"types", json::array()}};
      node["attrs"] = {{{"name", "tid"}, {"type", "uint64"}, {"value", call.thread}}};
    } else {
      node["parent"] = call.parent < 0 ? 1 : call.parent + 10;
      node["tid"] = call.thread;
      node["inputs"] = values;
      node["input_shapes"] = shapes;
      node["input_types"] = types;
      node["output_shapes"] = outputs;
    }
    nodes.insert(nodes.begin(), node);  // callers after their calls, as PyTorch writes them
  }
  return json{{"schema", chakra ? "1.1.0-chakra.0.0.4" : "1.0.1"}, {"nodes", nodes}}.dump();
}

/// In the form of the profiler, with record_shapes: results have no shapes, so strides count.
inline std::string kineto_trace(const std::vector<Call>& calls, bool with_shapes = true) {
  json events = json::array();
  events.push_back({{"ph", "X"},
                    {"cat", "user_annotation"},
                    {"name", "ProfilerStep#3"},
                    {"ts", 0},
                    {"dur", 40000.0},
                    {"tid", 1}});
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const Call& call = calls[i];
    json dims = json::array();
    json types = json::array();
    json literals = json::array();
    for (const json& input : call.inputs) {
      dims.push_back(input.is_array() ? input : json::array());
      types.push_back(input.is_array() ? "float" : "Scalar");
      literals.push_back(input.is_number() ? "[" + input.dump() + ", " + input.dump() + "]" : "");
    }
    const double start = 100.0 * static_cast<double>(call.parent < 0 ? i : i - 1) +
                         (call.parent < 0 ? 0.0 : 1.0 * static_cast<double>(i));
    json event = {{"ph", "X"},
                  {"cat", "cpu_op"},
                  {"name", call.name},
                  {"ts", start},
                  {"dur", call.parent < 0 ? 90.0 : 5.0},
                  {"tid", call.thread},
                  {"args", json::object()}};
    if (with_shapes) {
      event["args"] = {{"Input Dims", dims}, {"Input type", types}, {"Concrete Inputs", literals}};
    }
    events.push_back(event);
  }
  return json{{"schemaVersion", 1},
              {"deviceProperties", {{{"id", 0}, {"name", "NVIDIA A100-SXM4-80GB"}}}},
              {"traceEvents", events}}
      .dump();
}

/// A profile with more events.
inline std::string with_events(const std::string& profile, const std::vector<json>& events) {
  json document = json::parse(profile);
  for (const json& event : events) document["traceEvents"].push_back(event);
  return document.dump();
}

/// A call of a collective by a group of 4 ranks, in the form of the profilers of PyTorch 2.3 and
/// later.
inline json told_call(const std::string& name, double elements, double time,
                      const std::string& group) {
  return {{"ph", "X"},
          {"cat", "cpu_op"},
          {"name", "record_param_comms"},
          {"ts", time},
          {"dur", 1},
          {"tid", 1},
          {"args",
           {{"Collective name", name},
            {"In msg nelems", elements},
            {"dtype", "Float"},
            {"Process Group Name", group},
            {"Group size", 4}}}};
}

/// A profile in which each convolution, norm and product launches one kernel of that name with that
/// duration in microseconds.
inline std::string with_kernels(const std::string& profile, const std::string& kernel,
                                double microseconds) {
  std::vector<json> events;
  const json document = json::parse(profile);
  for (const json& operation : document["traceEvents"]) {
    const std::string name = operation["name"];
    if (name != "aten::convolution" && name != "aten::batch_norm" && name != "aten::addmm" &&
        name != "aten::mm" && name != "aten::convolution_backward") {
      continue;
    }
    const double launched = operation["ts"].get<double>() + 1;
    const json correlation = {{"correlation", events.size() + 1}};
    events.push_back({{"ph", "X"},
                      {"cat", "cuda_runtime"},
                      {"name", "cudaLaunchKernel"},
                      {"ts", launched},
                      {"dur", 1},
                      {"tid", operation["tid"]},
                      {"args", correlation}});
    events.push_back({{"ph", "X"},
                      {"cat", "kernel"},
                      {"name", kernel},
                      {"ts", launched + 50},
                      {"dur", microseconds},
                      {"tid", 7},
                      {"args", correlation}});
  }
  return with_events(profile, events);
}

}  // namespace vgsim::test
