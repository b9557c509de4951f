import type { Reporter, TestCase } from "vitest/node";

/** Names, at the end of a run, each test that left itself out, with what this machine lacks for it. Vitest counts them alone. */
export class TellLeftOut implements Reporter {
  readonly #lines: string[] = [];

  onTestCaseResult(test: TestCase): void {
    const result = test.result();
    if (result.state !== "skipped" || !result.note) return;
    this.#lines.push(`Left out: ${test.module.relativeModuleId}: ${result.note}`);
  }

  onTestRunEnd(): void {
    for (const line of new Set(this.#lines)) console.log(line);
  }
}
