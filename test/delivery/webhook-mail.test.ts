import { afterEach, expect, test } from "vitest";
import { drain } from "../support/jobs.ts";
import { startMailbox } from "../support/mailbox.ts";
import { startReceiver } from "../support/receiver.ts";
import { addWebhook, emit, webhookRow } from "../support/webhooks.ts";
import { world } from "../support/world.ts";

/** People get a mail about webhooks that fail. */

const mailbox = await startMailbox();

const cleanup: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanup.splice(0).reverse()) await undo();
});

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

/** A receiver that answers so, the webhook's maker, and another admin, whom it does not concern. */
async function failing(status: number, columns: Record<string, unknown>) {
  const here = await world();
  const there = await startReceiver();
  cleanup.push(there.stop);
  there.answers(status);
  const maker = await here.as({ role: "admin" });
  const other = await here.as({ role: "admin" });
  const url = `${there.url}in?token=hush`;
  const hook = await addWebhook(here, { url, created_by: maker.userId, event_types: ["issue.*"], ...columns });
  const fail = async () => {
    await emit(here, "issue.created");
    await drain({ throughRetries: false });
  };
  const subjects = () =>
    [here.owner, maker, other].map(({ email }) =>
      mailbox.to(email).map(({ subject }) => subject.replace(/\u200b/g, "")),
    );
  return { here, hook, maker, fail, subjects };
}

test("halfway to being disabled, a webhook's owners and creator get one mail", async () => {
  const { here, hook, maker, fail, subjects } = await failing(500, {
    consecutive_failures: 9,
    failing_since: hoursAgo(37),
    description: "To the\nchat",
  });
  const name = `A webhook of Workspace ${here.workspace.slug} is failing`;
  await fail();
  expect(await webhookRow(here, hook)).toMatchObject({ disabled_at: null, consecutive_failures: 10 });
  expect(subjects()).toEqual([[name], [name], []]);
  await fail();
  expect(subjects()).toEqual([[name], [name], []]);
  const { text } = await mailbox.latest(maker.email);
  expect(text).toContain(hook.id);
  expect(text).toContain("the last one with status 500");
  expect(text).toContain("Description: To the chat");
  expect(text).not.toContain("hush");
});

test("they also get one when it is disabled for its failures", async () => {
  const { here, hook, maker, fail, subjects } = await failing(500, {
    consecutive_failures: 19,
    failing_since: hoursAgo(73),
  });
  await fail();
  expect(await webhookRow(here, hook)).toMatchObject({ disabled_reason: "failing" });
  const name = `A webhook of Workspace ${here.workspace.slug} was disabled`;
  expect(subjects()).toEqual([[name], [name], []]);
  const { text } = await mailbox.latest(maker.email);
  expect(text).toContain(
    `send PATCH https://muster.test/v1/workspaces/${here.workspace.slug}/webhooks/${hook.id} with {"enabled": true}`,
  );
});

test("and when its receiver is gone, but only while they are members", async () => {
  const { here, hook, maker, fail, subjects } = await failing(410, {});
  await here.sql("delete from member where user_id = $1", [maker.userId]);
  await fail();
  expect(await webhookRow(here, hook)).toMatchObject({ disabled_reason: "gone" });
  expect(subjects()).toEqual([[`A webhook of Workspace ${here.workspace.slug} was disabled`], [], []]);
  expect((await mailbox.latest(here.owner.email)).text).toContain("410 Gone");
});
