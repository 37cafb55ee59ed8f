#include "tools/probe/processes/job_messages.hpp"

#include <nlohmann/json.hpp>
#include <vector>

#include "tools/probe/device_layer.hpp"

namespace vgsim::probe {
namespace {

using nlohmann::json;

/// Bytes of any value, as numbers.
std::vector<unsigned> numbers_of(const std::string& bytes) {
  return {reinterpret_cast<const unsigned char*>(bytes.data()),
          reinterpret_cast<const unsigned char*>(bytes.data() + bytes.size())};
}

std::string bytes_of(const json& numbers) {
  std::string bytes;
  for (const json& number : numbers) bytes.push_back(static_cast<char>(number.get<unsigned>()));
  return bytes;
}

struct ToJson {
  json operator()(const PrepareCall& prepare) const {
    const auto& call = prepare.call;
    return {{"do", "prepare"},
            {"id", numbers_of(prepare.id)},
            {"collective", call.collective},
            {"gpus", call.gpus},
            {"size", call.size.count()},
            {"algorithm", call.algorithm.value_or("")},
            {"protocol", call.protocol.value_or("")},
            {"machines", call.machines}};
  }
  json operator()(const RunCall& run) const { return {{"do", "run"}, {"repeats", run.repeats}}; }
  json operator()(const DropCall&) const { return {{"do", "drop"}}; }
  json operator()(const EndJob&) const { return {{"do", "end"}}; }
};

std::optional<std::string> optional_text(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

PrepareCall prepare_of(const json& message) {
  PrepareCall prepare;
  prepare.id = bytes_of(message.at("id"));
  prepare.call.collective = message.at("collective");
  prepare.call.gpus = message.at("gpus").get<std::vector<std::size_t>>();
  prepare.call.size = Bytes{message.at("size").get<std::int64_t>()};
  prepare.call.algorithm = optional_text(message.at("algorithm"));
  prepare.call.protocol = optional_text(message.at("protocol"));
  prepare.call.machines = message.at("machines");
  return prepare;
}

}  // namespace

std::string message_of(const JobCommand& command) { return std::visit(ToJson{}, command).dump(); }

JobCommand command_of(const std::string& message) {
  try {
    const json read = json::parse(message);
    const std::string what = read.at("do");
    if (what == "prepare") return prepare_of(read);
    if (what == "run") return RunCall{read.at("repeats").get<std::size_t>()};
    if (what == "drop") return DropCall{};
    if (what == "end") return EndJob{};
    throw DeviceError("rank 0 sent \"" + what + "\", which is unknown to this release");
  } catch (const json::exception& error) {
    throw DeviceError(std::string("cannot read the message of rank 0: ") + error.what());
  }
}

}  // namespace vgsim::probe
