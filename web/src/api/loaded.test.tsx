// @vitest-environment jsdom
import { act, renderHook, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { useLoaded } from "./loaded";
import { Problem } from "./problem";
import { setToken } from "./token";

interface Call {
  readonly key: string;
  readonly signal: AbortSignal;
  readonly resolve: (value: string) => void;
  readonly reject: (problem: unknown) => void;
}

/** The hook over answers that the test gives when it wants to. */
function loading(first: string) {
  const calls: Call[] = [];
  const hook = renderHook(
    ({ key }) =>
      useLoaded(
        key,
        (signal) => new Promise<string>((resolve, reject) => calls.push({ key, signal, resolve, reject })),
      ),
    { initialProps: { key: first } },
  );
  const last = () => calls[calls.length - 1] as Call;
  return { ...hook, calls, last };
}

test("the value stays while the next one loads, and when that fails", async () => {
  const { result, rerender, last } = loading("a");
  expect(result.current).toMatchObject({ value: null, loading: true });
  await act(async () => last().resolve("of a"));
  expect(result.current).toMatchObject({ value: "of a", fresh: true, loading: false });
  rerender({ key: "b" });
  expect(result.current).toMatchObject({ value: "of a", fresh: false, loading: true });
  await act(async () => last().reject(new Problem("gone", "Gone.")));
  expect(result.current).toMatchObject({ value: "of a", fresh: false, loading: false, problem: { kind: "gone" } });
  act(() => result.current.retry());
  await act(async () => last().resolve("of b"));
  expect(result.current).toMatchObject({ value: "of b", fresh: true, problem: null });
});

test("another key aborts the previous load, whose answer is dropped", async () => {
  const { result, rerender, calls } = loading("a");
  rerender({ key: "b" });
  expect(calls.map((call) => [call.key, call.signal.aborted])).toEqual([
    ["a", true],
    ["b", false],
  ]);
  await act(async () => calls[1]?.resolve("of b"));
  await act(async () => calls[0]?.resolve("of a"));
  expect(result.current.value).toBe("of b");
});

test("a request refused for lack of a token is repeated once there is one", async () => {
  const { result, calls, last } = loading("a");
  await act(async () => last().reject(new Problem("token", "A token.", 401)));
  expect(result.current.problem?.kind).toBe("token");
  act(() => setToken("hw_a_b"));
  await waitFor(() => expect(calls).toHaveLength(2));
  await act(async () => last().resolve("of a"));
  expect(result.current).toMatchObject({ value: "of a", problem: null });
});
