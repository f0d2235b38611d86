import type { Reporter, TestModule } from "vitest/node";

/** Names the tests that failed and passed when they were run again. Each is a mistake, in the test or in what it tests. */
export class SecondTries implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules)
      for (const test of module.children.allTests("passed"))
        if (test.diagnostic()?.flaky)
          console.warn(`Passed only when run again: ${module.relativeModuleId} > ${test.fullName}`);
  }
}
