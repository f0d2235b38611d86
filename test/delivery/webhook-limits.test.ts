import { expect, onTestFinished, test } from "vitest";
import { replayMessages } from "../../src/workers/delivery/replay-messages.ts";
import { configure } from "../support/app.ts";
import { drain } from "../support/jobs.ts";
import { startReceiver } from "../support/receiver.ts";
import { addWebhook, deliveriesOf, emit } from "../support/webhooks.ts";
import { world } from "../support/world.ts";

/** A webhook that was for all projects is limited to one. What it got before belongs to others, too. */

configure({ WEBHOOK_RETRY_SECONDS: "3600,7200", SWEEP_SECONDS: "3600" });

async function narrowed(...answers: number[]) {
  const here = await world();
  const there = await startReceiver();
  onTestFinished(there.stop);
  there.answers(...answers);
  const hidden = await here.hidden();
  const hook = await addWebhook(here, { url: there.url });
  const [own] = await emit(here, "issue.created", { project_id: here.project.id, data: { title: "Own" } });
  const [other] = await emit(here, "issue.created", { project_id: hidden.project.id, data: { title: "S3CRET" } });
  await drain();
  await here.owner.patch(`W/webhooks/${hook.id}`, { project_ids: [here.project.id] }).expect(200);
  const limited = await here.keyFor(here.owner, { projectIds: [here.project.id] });
  return { here, there, hook, own: own!, other: other!, limited, deliveries: `W/webhooks/${hook.id}/deliveries` };
}

test("a key that is limited to projects reads messages of these only", async () => {
  const { here, own, other, limited, deliveries } = await narrowed(204, 204);
  const { data } = await limited.get(deliveries).expect(200);
  expect(data.map(({ delivery_id }: { delivery_id: string }) => delivery_id)).toEqual([other, own]);
  expect(JSON.stringify(data)).not.toContain("S3CRET");
  expect(data[0]).toMatchObject({ request_body: null, response_body: null });
  expect(data[1].request_body).toContain("Own");
  expect((await limited.get(`${deliveries}/${other}`).expect(200)).data.request_body).toBeNull();
  expect((await here.owner.get(`${deliveries}/${other}`).expect(200)).data.request_body).toContain("S3CRET");
});

test("a webhook gets no message of a project that it is not for any more, whoever asks", async () => {
  const { there, hook, here, own, other, limited, deliveries } = await narrowed(204, 204);
  await limited.patch(`W/webhooks/${hook.id}`, { url: `${there.url}new` }).expect(200);
  const before = there.requests.length;
  await limited.post(`${deliveries}/${other}/retry`).expect(202);
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const replay = await here.owner.post(`W/webhooks/${hook.id}/replay`, { since, states: ["succeeded"] }).expect(202);
  expect(replay.data.queued).toBe(1);
  await drain({ also: [replayMessages] });
  const bodies = there.requests.slice(before).map(({ body }) => body);
  expect(bodies.join()).not.toContain("S3CRET");
  expect(bodies.join()).toContain("Own");
  const attempts = (await deliveriesOf(here, hook)).filter(({ delivery_id }) => delivery_id === other);
  expect(attempts.at(-1)).toMatchObject({ attempt: 2, state: "failed", status: 0 });
  expect((await deliveriesOf(here, hook)).filter(({ delivery_id }) => delivery_id === own)).toHaveLength(2);
});

test("a webhook that is limited to projects still gets tests", async () => {
  const { hook, limited } = await narrowed(204, 204, 204);
  await limited.post(`W/webhooks/${hook.id}/test`).expect(202);
});
