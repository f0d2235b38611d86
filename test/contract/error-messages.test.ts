import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { decodeBody } from "../../src/api/engine/decode.ts";
import { operations } from "../../src/api/operations/index.ts";
import { Refusal } from "../../src/domain/kernel/errors.ts";

/** Everything that validation says, in good English. */

const WRONG = [
  ...[null, true, 0, -1, 0.5, 1e300, "", " ", "x", "\u202e\u0000", "x".repeat(70_000), [], {}],
  ...[[null], [1], [{}], Array(2_000).fill("x"), { a: 1 }, { id: 1 }],
];
/** What zod says by itself, and numbers that do not agree with their noun. */
const BAD =
  /\bInvalid\b|^Too (small|big)|expected |received|[<>]=|\(s\)|\b1 (characters|items|members)\b|undefined|NaN|\/\^/;

type Change = (path: (string | number)[], value: unknown) => void;

/** Calls `change` with each place in a body, and each wrong value for it. */
function spoil(value: unknown, change: Change, path: (string | number)[] = []): void {
  for (const wrong of WRONG) change(path, wrong);
  if (typeof value !== "object" || value === null || path.length > 4) return;
  for (const [name, member] of Object.entries(value)) {
    spoil(member, change, [...path, Array.isArray(value) ? Number(name) : name]);
  }
}

function withValue(body: unknown, [first, ...rest]: (string | number)[], value: unknown): unknown {
  if (first === undefined) return value;
  const copy = (Array.isArray(body) ? [...body] : { ...(body as object) }) as Record<string | number, unknown>;
  copy[first] = withValue(copy[first], rest, value);
  return copy;
}

test("every message of validation is a sentence of English", () => {
  const messages = new Set<string>();
  for (const { body, item, method, example } of operations) {
    if (!body) continue;
    const schemas = item ? [body, item] : [body];
    for (const schema of schemas) {
      const shape = "shape" in schema ? Object.keys(schema.shape as object) : [];
      const all = { ...Object.fromEntries(shape.map((name) => [name, "x"])), ...(example as object | undefined) };
      const said = (value: unknown) => {
        try {
          decodeBody(schema, value, { lenient: false, creating: method === "POST", warnings: [] });
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          messages.add(error.message);
          for (const { message } of (error.details.errors ?? []) as { message: string }[]) messages.add(message);
        }
      };
      said(undefined);
      spoil(all, (path, wrong) => said(withValue(all, path, wrong)));
    }
  }
  expect(messages.size).toBeGreaterThan(50);
  expect([...messages].filter((message) => BAD.test(message)).sort()).toEqual([]);
  expect([...messages]).toEqual(
    expect.arrayContaining(["must have at least 1 character", "must have at least 1 item", "is required"]),
  );
});

// Constants, limits and packs of credits are never 1, and SQL is not for people.
test("numbers in texts agree with their nouns: `counted()` says 1 issue, 2 issues", () => {
  const noun =
    "seconds|minutes|hours|days|times|characters|items|bytes|members|issues|requests|invites|workspaces|challenges|credits|changes";
  const wrong = new RegExp(`\\$\\{(?![A-Z_]+[.}]|max|limits|bytes|hours|number)[^{}]*\\} (${noun})\\b.*`, "g");
  const found = globSync("src/{api,cli,domain}/**/*.ts")
    .filter((file) => !file.endsWith(".sql.ts"))
    .flatMap((file) => (readFileSync(file, "utf8").match(wrong) ?? []).map((text) => `${file}: ${text}`));
  expect(found).toEqual([]);
});
