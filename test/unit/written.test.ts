import { expect, test } from "vitest";
import { writtenAll } from "../../src/api/pages/kit/written.ts";
import type { InWorkspace } from "../../src/domain/kernel/context.ts";

test("other calls run while many texts are rendered", async () => {
  const here = { settings: { baseUrl: "https://muster.test" }, workspace: { slug: "acme" } } as InWorkspace;
  const texts = Array.from({ length: 5 }, (_, n) => `${n} ${"- a\n".repeat(200)}`);
  let turns = 0;
  let running = true;
  const count = () => {
    turns++;
    if (running) setImmediate(count);
  };
  count();
  const all = await writtenAll(here, texts);
  running = false;
  expect(all.size).toBe(5);
  expect(turns).toBeGreaterThanOrEqual(5);
});
