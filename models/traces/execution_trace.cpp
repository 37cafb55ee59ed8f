#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "models/traces/trace_file.hpp"
#include "models/traces/trace_readers.hpp"

namespace vgsim::traces {
namespace {

using nlohmann::json;

std::int64_t whole(const json& object, const char* name, std::int64_t otherwise) {
  const auto found = object.find(name);
  return found != object.end() && found->is_number_integer() ? found->get<std::int64_t>()
                                                             : otherwise;
}

/// Reads an attribute, or a member in the older format.
std::int64_t attribute(const json& node, const char* name, std::int64_t otherwise) {
  const auto attributes = node.find("attrs");
  if (attributes == node.end() || !attributes->is_array()) return whole(node, name, otherwise);
  for (const json& entry : *attributes) {
    if (entry.is_object() && entry.value("name", "") == name) {
      return whole(entry, "value", otherwise);
    }
  }
  return otherwise;
}

bool is_shape(const json& value) {
  return value.is_array() && std::all_of(value.begin(), value.end(), [](const json& extent) {
           return extent.is_number_integer();
         });
}

TensorShape tensor_shape(const json& value) { return value.get<TensorShape>(); }

/// "Tensor(float)" is "float"; empty if it is not a tensor.
std::string tensor_type(const json& type) {
  if (!type.is_string()) return {};
  const std::string text = type.get<std::string>();
  constexpr std::string_view kBefore = "Tensor(";
  if (text.rfind(kBefore, 0) != 0 || text.back() != ')') return {};
  return text.substr(kBefore.size(), text.size() - kBefore.size() - 1);
}

const json& list(const json& object, const char* name) {
  static const json kNone = json::array();
  const auto found = object.find(name);
  return found != object.end() && found->is_array() ? *found : kNone;
}

}  // namespace

void read_tensors(const json& values, const json& shapes, const json& types, Operation& operation) {
  for (std::size_t i = 0; i < types.size(); ++i) {
    const std::string type = tensor_type(types[i]);
    operation.inputs.emplace_back();
    operation.literals.emplace_back(i < values.size() ? values[i].dump() : "");
    if (type.empty() || i >= shapes.size() || !is_shape(shapes[i])) continue;
    TensorUse use{tensor_shape(shapes[i]), type, 0};
    if (i < values.size() && values[i].is_array() && !values[i].empty() &&
        values[i][0].is_number_integer()) {
      use.id = values[i][0].get<std::int64_t>();
    }
    operation.inputs.back() = std::move(use);
  }
  drop_callers_arguments(operation);
}

void read_output_shapes(const json& shapes, Operation& operation) {
  for (const json& entry : shapes) {
    if (is_shape(entry)) operation.outputs.push_back(tensor_shape(entry));
  }
}

void ExecutionTraceReader::take(const json& entry) {
  if (!entry.is_object()) throw TraceError("an entry of \"nodes\" is not an object");
  if (nodes_.size() >= kMaxOperations) throw TraceTooLarge("more than 4,000,000 operations");
  Node node;
  node.id = whole(entry, "id", 0);
  node.operation.name = entry.value("name", "");
  node.operation.thread = attribute(entry, "tid", 0);
  node.operation.sequence = attribute(entry, "seq_id", -1);
  const auto inputs = entry.find("inputs");
  if (inputs != entry.end() && inputs->is_object()) {
    node.parent = whole(entry, "ctrl_deps", 0);
    read_tensors(list(*inputs, "values"), list(*inputs, "shapes"), list(*inputs, "types"),
                 node.operation);
    const auto outputs = entry.find("outputs");
    if (outputs != entry.end()) read_output_shapes(list(*outputs, "shapes"), node.operation);
  } else {
    node.parent = whole(entry, "parent", 0);
    read_tensors(list(entry, "inputs"), list(entry, "input_shapes"), list(entry, "input_types"),
                 node.operation);
    read_output_shapes(list(entry, "output_shapes"), node.operation);
  }
  nodes_.push_back(std::move(node));
}

Trace ExecutionTraceReader::finish(const json& rest) {
  Trace trace;
  trace.format = "PyTorch execution trace " + rest.value("schema", std::string("of old"));
  trace.operations = in_order(std::move(nodes_));
  for (std::size_t i = 0; i < trace.operations.size(); ++i) {
    add_collective(trace.operations[i], i, trace);
  }
  return trace;
}

std::vector<Operation> in_order(std::vector<ExecutionTraceReader::Node> nodes) {
  std::stable_sort(nodes.begin(), nodes.end(),
                   [](const auto& a, const auto& b) { return a.id < b.id; });
  std::map<std::int64_t, std::size_t> position;
  std::vector<Operation> operations;
  operations.reserve(nodes.size());
  for (auto& node : nodes) {
    const auto caller = position.find(node.parent);
    if (caller != position.end()) node.operation.parent = caller->second;
    position.emplace(node.id, operations.size());
    operations.push_back(std::move(node.operation));
  }
  return operations;
}

}  // namespace vgsim::traces
