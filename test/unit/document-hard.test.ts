import { afterAll, describe, expect, test } from "vitest";
import { HARD } from "../support/hard-documents.ts";
import { watchTurns } from "../support/loop-turns.ts";
import { openRenderer } from "../support/rendered.ts";

// `npm run bench -- export` measures how long each takes.
const { render } = openRenderer();
const turns = watchTurns();
afterAll(() => turns.stop());

describe.each(Object.entries(HARD))("%s", (what, markdown) => {
  test.each(["html", "pdf"] as const)(
    "is rendered as %s, and the event loop is free",
    { timeout: 60_000 },
    async (format) => {
      turns.longest();
      const bytes = await render(markdown, { format, as: "json" });
      expect(turns.longest(), what).toBeLessThan(50);
      expect(bytes.length).toBeGreaterThan(10_000);
      expect(bytes.length).toBeLessThan(24_000_000);
    },
  );
});
