import { expect, test } from "vitest";
import { configure } from "../support/app.ts";
import { world } from "../support/world.ts";

configure({ EXPORT_TIMEOUT_MS: "1000", EXPORT_MEMORY_MB: "256" });

test("a doc whose rendering takes too much is refused, and other exports go on", { timeout: 60_000 }, async () => {
  const { owner } = await world();
  const body_md = "a *b* `c` [d](https://example.com)\n\n".repeat(14_000);
  const { data } = await owner.post("W/docs", { title: "Hard", body_md }).expect(201);
  const path = `W/docs/${data.id}/export`;
  const refused = await owner.get(`${path}?format=pdf`).expect(400, "too_complex_to_export");
  expect(refused.body.detail).toContain("format=md");
  expect((await owner.get(path).expect(200)).data.content).toBe(body_md);
  const small = (await owner.post("W/docs", { body_md: "# Small" }).expect(201)).data.id;
  await owner.get(`W/docs/${small}/export?format=pdf`).expect(200);
});
