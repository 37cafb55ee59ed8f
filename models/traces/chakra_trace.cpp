#include <array>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <protozero/pbf_reader.hpp>
#include <protozero/varint.hpp>

#include "models/traces/trace_file.hpp"
#include "models/traces/trace_readers.hpp"

namespace vgsim::traces {
namespace {

using nlohmann::json;

/// Field numbers of MLCommons Chakra's et_def.proto.
enum NodeField : protozero::pbf_tag_type {
  kId = 1,
  kName = 2,
  kType = 3,
  kControl = 4,
  kDuration = 7,
  kInputs = 8,
  kOutputs = 9,
  kAttribute = 10
};

/// Values of its NodeType.
enum NodeType : std::int64_t { kSend = 5, kReceive = 6, kCollective = 7 };

constexpr std::array kCollectives = {"all_reduce", "reduce",    "all_gather", "gather",
                                     "scatter",    "broadcast", "all_to_all", "reduce_scatter"};

/// Lists as Python prints them: "[[32, 3], 'cuda:0']".
json python_list(std::string text) {
  for (char& c : text) {
    if (c == '\'') c = '"';
  }
  json parsed = json::parse(text, nullptr, false);
  return parsed.is_array() ? parsed : json::array();
}

struct Tensors {
  json values = json::array();
  json shapes = json::array();
  json types = json::array();
};

Tensors tensors(protozero::pbf_reader message) {
  Tensors result;
  while (message.next()) {
    json* target = nullptr;
    if (message.tag() == 1) target = &result.values;
    if (message.tag() == 2) target = &result.shapes;
    if (message.tag() == 3) target = &result.types;
    if (target != nullptr && message.has_wire_type(protozero::pbf_wire_type::length_delimited)) {
      *target = python_list(message.get_string());
    } else {
      message.skip();
    }
  }
  return result;
}

struct Attribute {
  std::string name;
  std::int64_t whole = 0;
};

Attribute attribute(protozero::pbf_reader message) {
  Attribute result;
  while (message.next()) {
    if (message.tag() == 1 && message.has_wire_type(protozero::pbf_wire_type::length_delimited)) {
      result.name = message.get_string();
    } else if (message.has_wire_type(protozero::pbf_wire_type::varint)) {
      result.whole = message.get_int64();
    } else {
      message.skip();
    }
  }
  return result;
}

/// Chakra's converter splits an operation where it starts kernels: "aten::conv2d(0)", "...(1)".
/// Only the first part counts.
bool first_piece(std::string& name) {
  const std::size_t open = name.rfind('(');
  if (open == std::string::npos || name.back() != ')') return true;
  const std::string digits = name.substr(open + 1, name.size() - open - 2);
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos) return true;
  name.resize(open);
  return digits == "0";
}

std::string call_name(std::int64_t kind, const std::map<std::string, std::int64_t>& attributes) {
  if (kind == kSend) return "send";
  if (kind == kReceive) return "recv";
  const auto type = attributes.find("comm_type");
  const bool known = type != attributes.end() && type->second >= 0 &&
                     static_cast<std::size_t>(type->second) < kCollectives.size();
  return known ? kCollectives[static_cast<std::size_t>(type->second)] : "another";
}

void read_node(protozero::pbf_reader message, std::vector<ExecutionTraceReader::Node>& nodes,
               Trace& trace) {
  ExecutionTraceReader::Node node;
  std::map<std::string, std::int64_t> attributes;
  std::int64_t microseconds = 0;
  std::int64_t kind = 0;
  node.parent = -1;
  while (message.next()) {
    const auto type = message.wire_type();
    if (message.tag() == kId && type == protozero::pbf_wire_type::varint) {
      node.id = message.get_int64();
    } else if (message.tag() == kType && type == protozero::pbf_wire_type::varint) {
      kind = message.get_int64();
    } else if (message.tag() == kDuration && type == protozero::pbf_wire_type::varint) {
      microseconds = message.get_int64();
    } else if (type != protozero::pbf_wire_type::length_delimited) {
      message.skip();
    } else if (message.tag() == kName) {
      node.operation.name = message.get_string();
    } else if (message.tag() == kControl) {
      for (const std::int64_t id : message.get_packed_int64()) node.parent = id;
    } else if (message.tag() == kInputs) {
      const Tensors read = tensors(message.get_message());
      read_tensors(read.values, read.shapes, read.types, node.operation);
    } else if (message.tag() == kOutputs) {
      read_output_shapes(tensors(message.get_message()).shapes, node.operation);
    } else if (message.tag() == kAttribute) {
      const Attribute read = attribute(message.get_message());
      attributes[read.name] = read.whole;
    } else {
      message.skip();
    }
  }
  if (kind == kSend || kind == kReceive || kind == kCollective ||
      attributes.contains("comm_type")) {
    trace.collectives.push_back(
        {call_name(kind, attributes), static_cast<double>(attributes["comm_size"]), 0});
    trace.collective_seconds += static_cast<double>(microseconds) / 1e6;
    return;
  }
  const auto on_host = attributes.find("is_cpu_op");
  if (on_host != attributes.end() && on_host->second == 0) {
    trace.kernel_seconds += static_cast<double>(microseconds) / 1e6;
    return;
  }
  node.operation.thread = attributes["tid"];
  if (first_piece(node.operation.name)) nodes.push_back(std::move(node));
}

}  // namespace

Trace read_chakra_trace(std::istream& data) {
  const std::string bytes{std::istreambuf_iterator<char>(data), {}};
  Trace trace;
  trace.format = "Chakra execution trace";
  std::vector<ExecutionTraceReader::Node> nodes;
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  try {
    for (bool metadata = true; at != end; metadata = false) {
      const auto length = protozero::decode_varint(&at, end);
      if (length > static_cast<std::uint64_t>(end - at)) throw TraceError("the file ends early");
      const auto size = static_cast<std::size_t>(length);
      if (!metadata) read_node(protozero::pbf_reader(at, size), nodes, trace);
      if (nodes.size() > kMaxOperations) throw TraceTooLarge("more than 4,000,000 operations");
      at += size;
    }
  } catch (const protozero::exception& error) {
    throw TraceError(std::string("it is neither JSON nor a sequence of Chakra messages: ") +
                     error.what());
  }
  if (nodes.empty() && trace.collectives.empty()) throw TraceError("it contains no node");
  trace.operations = in_order(std::move(nodes));
  return trace;
}

}  // namespace vgsim::traces
