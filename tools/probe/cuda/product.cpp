#include "tools/probe/cuda/matrix_product.hpp"
#include "tools/probe/cuda/works.hpp"

namespace vgsim::probe::cuda {
namespace {

class ProductWork : public StreamWork {
 public:
  ProductWork(const GpuPtr& gpu, const Precision& precision, const calibration::Product& work)
      : StreamWork(gpu),
        // A is stored transposed, the only layout of fp8.
        product_(std::make_shared<const Blas>(gpu), precision, {work.m, work.n, work.k, true}),
        a_(gpu, bytes(work.m, work.k, precision.input)),
        b_(gpu, bytes(work.k, work.n, precision.input)),
        d_(gpu, bytes(work.m, work.n, precision.output)) {
    fill_random(stream(), a_.address(), precision.input, work.m * work.k);
    fill_random(stream(), b_.address(), precision.input, work.k * work.n);
    stream().synchronize();
  }

 private:
  static std::size_t bytes(std::int64_t rows, std::int64_t columns, Number number) {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns) * size_of(number);
  }

  void enqueue() override { product_.enqueue(stream(), a_.address(), b_.address(), d_.address()); }

  MatrixProduct product_;
  DeviceMemory a_;
  DeviceMemory b_;
  DeviceMemory d_;
};

}  // namespace

std::unique_ptr<PreparedWork> prepare_work(Gpus& gpus, const calibration::Product& work) {
  return std::make_unique<ProductWork>(gpus.at(work.gpu), precision_of(work.precision), work);
}

}  // namespace vgsim::probe::cuda
