import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { readPrices, SHIPPED_PRICES } from "../../src/domain/automation/agent-usage/price-table.ts";
import { costOf, plainName, priceOf } from "../../src/domain/automation/agent-usage/prices.ts";
import { leastCpu } from "../support/least.ts";

/** Prices of models: which row of the table counts, and what tokens cost. */

describe("the row of a model", () => {
  test.each([
    ["claude-opus-5-5", "claude-opus-5-5"],
    ["claude-opus-5", "claude-opus-5"],
    ["Claude-Opus-4.8", "claude-opus-4-8"],
    ["claude-opus-4-20250514", "claude-opus-4"],
    ["claude-opus-4@20250514", "claude-opus-4"],
    ["anthropic/claude-sonnet-5.5", "claude-sonnet-5-5"],
    ["openrouter/anthropic/claude-sonnet-4:free", "claude-sonnet-4"],
    ["us.anthropic.claude-haiku-4-5-20251001-v1:0", "claude-haiku-4-5"],
    ["openai:gpt-5.4-mini", "gpt-5-4-mini"],
    ["google-gla:gemini-2.5-pro", "gemini-2-5-pro"],
    ["gpt-4o:online", "gpt-4o"],
    ["claude-fable-5.1-preview", "claude-fable-5-1"],
    ["claude-fable-5-latest", "claude-fable-5"],
    ["gpt-5.4-mini-2026-03-05", "gpt-5-4-mini"],
    ["gpt-5-2025-08-07", "gpt-5"],
    ["gpt-5.4", "gpt-5-4"],
    ["gpt-4o-mini", "gpt-4o-mini"],
    ["gpt-4.1", "gpt-4-1"],
    ["  O3  ", "o3"],
    ["models/gemini-2.5-flash-lite", "gemini-2-5-flash-lite"],
    ["gemini-3.1-pro-preview", "gemini-3-1-pro"],
    ["gemini-2.5-flash-preview-2026-01-01", "gemini-2-5-flash"],
    ["gpt-5x", null],
    ["o30", null],
    ["claude-opus", null],
    ["claude-3-5-sonnet", null],
    ["my-claude-opus-5", null],
    ["", null],
    ["-", null],
    ["constructor", null],
  ])("%j is %j", (model, match) => {
    expect(priceOf(SHIPPED_PRICES, model)?.match ?? null).toBe(match);
  });

  test("is found quickly, whatever the name", () => {
    const took = leastCpu(() => {
      for (const part of ["-", ".", "a.", "/", ":", "-latest", "-20260101", "a-"]) {
        priceOf(SHIPPED_PRICES, part.repeat(64 / part.length));
        plainName(part.repeat(20_000 / part.length));
      }
    });
    expect(took).toBeLessThan(1_000);
  });

  test("is the operator's own for all others, if there is one", () => {
    const row = { input: 1, cache_read: 1, cache_write: 1, output: 1 };
    const prices = readPrices({ date: "2027-01", models: { "house-1": row }, default: { ...row, output: 2 } });
    expect(priceOf(prices, "house-1.5")?.match).toBe("house-1");
    expect(priceOf(prices, "gpt-5")).toMatchObject({ match: "default", rates: { output: 2_000_000n } });
  });
});

test("costs are exact to the millionth of a dollar", () => {
  const count = fc.integer({ min: 0, max: 1_000_000_000 });
  const models = [...SHIPPED_PRICES.models.keys()];
  fc.assert(
    fc.property(
      fc.constantFrom(...models),
      count,
      count,
      count,
      count,
      (model, input, output, cacheRead, cacheWrite) => {
        const { rates } = priceOf(SHIPPED_PRICES, model)!;
        const rest = input - cacheRead - cacheWrite;
        // In 10^-12 dollars: tokens times 10^-6 dollars for each of a million.
        const parts = [
          [Math.max(rest, 0), rates.input],
          [cacheRead, rates.cache_read],
          [cacheWrite, rates.cache_write],
          [output, rates.output],
        ] as const;
        const exact = parts.reduce((total, [tokens, each]) => total + BigInt(tokens) * each, 0n);
        const [dollars, millionths] = costOf(rates, { input, output, cacheRead, cacheWrite }).split(".");
        expect(millionths).toMatch(/^\d{6}$/);
        const difference = (BigInt(dollars!) * 1_000_000n + BigInt(millionths!)) * 1_000_000n - exact;
        expect(difference > -500_000n && difference <= 500_000n).toBe(true);
      },
    ),
  );
});

test.each([
  ["claude-opus-5", { input: 1_000_000, output: 0, cacheRead: 0, cacheWrite: 0 }, "5.000000"],
  ["claude-opus-5", { input: 1_000_000, output: 0, cacheRead: 1_000_000, cacheWrite: 0 }, "0.500000"],
  ["claude-opus-5", { input: 10, output: 0, cacheRead: 1_000_000, cacheWrite: 1_000_000 }, "6.750000"],
  ["claude-haiku-5-5", { input: 0, output: 1, cacheRead: 0, cacheWrite: 0 }, "0.000001"],
  ["gpt-5-4", { input: 1_000_000, output: 1_000_000, cacheRead: 400_000, cacheWrite: 100_000 }, "16.600000"],
])("%s with %j costs %s", (model, tokens, cost) => {
  expect(costOf(priceOf(SHIPPED_PRICES, model)!.rates, tokens)).toBe(cost);
});

describe("an operator's table", () => {
  const folder = mkdtempSync(join(tmpdir(), "prices-"));
  const configWith = (content: string) => {
    const path = join(folder, "prices.json");
    writeFileSync(path, content);
    return readConfig({ NODE_ENV: "test", MODEL_PRICES_FILE: path }).MODEL_PRICES_FILE;
  };
  const row = { input: 1, cache_read: 0.1, cache_write: 1.25, output: 5.000001 };

  test("replaces the one that is shipped", () => {
    expect(readConfig({ NODE_ENV: "test" }).MODEL_PRICES_FILE.date).toBe("2026-11");
    const prices = configWith(JSON.stringify({ date: "2027-02-01", models: { "house-1": row } }));
    expect(prices.models.get("house-1")).toEqual({
      input: 1_000_000n,
      cache_read: 100_000n,
      cache_write: 1_250_000n,
      output: 5_000_001n,
    });
    expect(priceOf(prices, "gpt-5")).toBe(null);
  });

  test.each([
    ["no JSON", "{", /MODEL_PRICES_FILE: .*JSON/],
    ["another name for a rate", JSON.stringify({ date: "2027-01", models: { a: { ...row, cached: 1 } } }), /models\.a/],
    ["a negative rate", JSON.stringify({ date: "2027-01", models: { a: { ...row, input: -1 } } }), /models\.a\.input/],
    ["a rate that is too fine", JSON.stringify({ date: "2027-01", models: { a: { ...row, input: 1e-7 } } }), /decimal/],
    ["a name with a dot", JSON.stringify({ date: "2027-01", models: { "gpt-4.1": row } }), /lower case/],
    ["no date", JSON.stringify({ models: { a: row } }), /date/],
  ])("with %s keeps the service from starting", (_, content, problem) => {
    expect(() => configWith(content)).toThrow(problem);
  });

  test("that does not exist keeps the service from starting", () => {
    const env = { NODE_ENV: "test", MODEL_PRICES_FILE: join(folder, "none.json") };
    expect(() => readConfig(env)).toThrow(/MODEL_PRICES_FILE: .*none\.json/);
  });
});
