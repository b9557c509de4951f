import { afterEach, beforeEach, expect, type MockInstance, vi } from "vitest";

/**
 * A library or component that complains on console.error has found a fault that no assertion looks for.
 * A test that expects one takes it: `vi.mocked(console.error).mockClear()`.
 */
let complaints: MockInstance<typeof console.error>;

beforeEach(() => {
  complaints = vi.spyOn(console, "error").mockImplementation(() => {});
});

afterEach(() => {
  const calls = complaints.mock.calls.map((words) => words.join(" "));
  complaints.mockRestore();
  expect(calls, "console.error was called").toEqual([]);
});
