import { expect, test } from "vitest";
import { expectShortTurns, startWatched } from "../support/loop.ts";
import { world } from "../support/world.ts";
import { issue, start, workflow } from "./flows.ts";

/** The largest runs: how much their stages may store, and that no call on them takes long. */

const STAGES = Array.from({ length: 198 }, (_, n) => `stage ${n}`);
/** Many members take longer to read than long texts. */
const OUTPUT = Object.fromEntries(Array.from({ length: 1_650 }, (_, n) => [`k${n}`, 1]));
const NOTE = "n".repeat(4_000);

const wide = (here: Parameters<typeof workflow>[0]) =>
  workflow(
    here,
    [...STAGES.map((id) => ({ id, kind: "person", config: { role: "member" } })), { id: "end", kind: "end" }],
    STAGES.flatMap((id) => [["start", id] as const, [id, "end"] as const]),
  );

test("the outputs of a run have at most 128 KiB together", async () => {
  const here = await world();
  const run = await start(here, (await issue(here)).key, await wide(here));
  const complete = (body: object) => here.owner.post(`W/workflow-runs/${run.id}/complete-stage`, body);
  const { body } = await complete({ output: OUTPUT }).expect(400, "validation_failed");
  expect(body.error.details.errors).toMatchObject([{ path: "/output", code: "too_long", maximum: 131_072 }]);
  for (const node_id of STAGES.slice(0, 8)) await complete({ node_id, output: OUTPUT }).expect(200);
  await complete({ node_id: STAGES[8], output: OUTPUT }).expect(400, "validation_failed");
  const { data } = await complete({ note_md: NOTE }).expect(200);
  expect(data.status).toBe("completed");
});

test("the largest run is completed and read in short turns", async () => {
  const here = await world();
  const flow = await wide(here);
  const web = await startWatched(here.app.config);
  try {
    const call = async (path: string, body?: object) => {
      const reply = await fetch(`${web.url}/v1/workspaces/${here.workspace.slug}/workflow-runs/${path}`, {
        method: body ? "POST" : "GET",
        headers: { authorization: `Bearer ${here.owner.key}`, "content-type": "application/json" },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      expect(reply.status).toBe(200);
      await reply.text();
    };
    const largest = async () => {
      const context = { text: "x".repeat(16_000) };
      const run = await start(here, (await issue(here)).key, flow, { context });
      for (const node_id of STAGES.slice(0, 7)) await call(`${run.id}/complete-stage`, { node_id, output: OUTPUT });
      return run.id;
    };
    let id = await largest();
    await expectShortTurns(web, "completing all stages", async () => {
      await call(`${id}/complete-stage`, { note_md: NOTE });
      const done = id;
      id = await largest();
      await call(done);
    });
  } finally {
    await web.kill();
  }
}, 120_000);
