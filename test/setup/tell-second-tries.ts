import type { Reporter, TestCase } from "vitest/node";

/**
 * Names, at the end of a run, each test that passed at its second try only, with what its first one waited for. It is to be mended: a wait that ran out was
 * for something that may not come, or its page was not ready (docs/decisions/0143).
 */
export class TellSecondTries implements Reporter {
  readonly #names: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (!test.diagnostic()?.flaky) return;
    const [first] = test.result().errors ?? [];
    const at = first?.stacks?.[0];
    const where = at ? `\n  at ${at.file.split("/").at(-1)}:${at.line}` : "";
    const why = first ? `\n  ${first.message.replaceAll("\n", "\n  ")}${where}` : "";
    this.#names.push(`${test.module.relativeModuleId} > ${test.fullName}${why}`);
  }

  onTestRunEnd(): void {
    if (this.#names.length === 0) return;
    console.log(`\nPassed at the second try only, and to be mended:\n${this.#names.join("\n")}`);
  }
}
