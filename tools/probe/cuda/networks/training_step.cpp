#include <fmt/format.h>

#include "tools/probe/cuda/works.hpp"

namespace vgsim::probe::cuda {

std::unique_ptr<PreparedWork> prepare_work(Gpus& gpus, const calibration::TrainingStep& work) {
  constexpr std::int64_t kMostBatch = 65536;
  if (work.batch < 1 || work.batch > kMostBatch) {
    throw DeviceError(fmt::format("a training step has 1 to {} samples", kMostBatch));
  }
  if (work.network == "transformer") return prepare_transformer(gpus.at(work.gpu), work);
  if (work.network == "cnn") return prepare_cnn(gpus.at(work.gpu), work);
  throw DeviceError(fmt::format("there is no network \"{}\" to train", work.network));
}

}  // namespace vgsim::probe::cuda
