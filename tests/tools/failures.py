"""What a test of many expectations found."""


class Failures:
    def __init__(self):
        self.count = 0

    def expect(self, holds, what):
        if not holds:
            self.count += 1
            print("FAIL " + what, flush=True)
