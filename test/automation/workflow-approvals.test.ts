import { describe, expect, test } from "vitest";
import { drain } from "../support/jobs.ts";
import { type World, world } from "../support/world.ts";
import { issue, nodeOf, type Run, start, statesOf, workflow } from "./flows.ts";

/** Stages for approval: who may vote, and what the votes decide. */

/** A person works, then others approve. */
const approvalBy = (here: World, config: Record<string, unknown>, worker?: string) =>
  workflow(
    here,
    [
      { id: "work", kind: "person", ...(worker ? { assignee_user_id: worker } : { config: { role: "member" } }) },
      { id: "vote", kind: "approval", label: "Release?", config },
      { id: "good", kind: "end" },
      { id: "bad", kind: "end", config: { result: "failed" } },
    ],
    [
      ["start", "work"],
      ["work", "vote"],
      ["vote", "good", "approved"],
      ["vote", "bad", "rejected"],
    ],
  );

const vote = (client: World["owner"], { id }: Run, outcome: string, more = {}) =>
  client.post(`W/workflow-runs/${id}/complete-stage`, { node_id: "vote", outcome, ...more });

const finishWork = async (client: World["owner"], { id }: Run) =>
  (await client.post(`W/workflow-runs/${id}/complete-stage`, { node_id: "work" }).expect(200)).data as Run;

/** A run that waits for votes, started and worked on by others than the approvers. */
async function waiting(here: World, config: Record<string, unknown>) {
  const worker = await here.as({ role: "member" });
  const flow = await approvalBy(here, config, worker.userId);
  return finishWork(worker, await start(here, (await issue(here)).key, flow));
}

const members = (here: World, count: number) =>
  Promise.all(Array.from({ length: count }, () => here.as({ role: "member" })));

describe("an approval", () => {
  test("needs as many votes as it says, of different people", async () => {
    const here = await world();
    const [ada, bob, cy] = (await members(here, 3)) as [World["owner"], World["owner"], World["owner"]];
    const approver_ids = [ada, bob, cy].map(({ userId }) => userId);
    const run = await waiting(here, { approver_ids, required: 2 });
    const { data: first } = await vote(ada, run, "approved", { note_md: "Fine" }).expect(200);
    expect(statesOf(first).vote).toBe("active");
    expect(nodeOf(first, "vote").approvals).toEqual([{ by: ada.userId, outcome: "approved", at: expect.any(String) }]);
    const events = () =>
      here.sql("select from event where type like 'workflow_run.%' and workspace_id = $1", [here.workspace.id]);
    const before = (await events()).length;
    const { data: again } = await vote(ada, run, "approved").expect(200);
    expect(again).toEqual(first);
    expect(await events()).toHaveLength(before);
    const { data } = await vote(bob, run, "approved").expect(200);
    expect(data.status).toBe("completed");
    expect(nodeOf(data, "vote")).toMatchObject({
      outcome: "approved",
      completed_by: bob.userId,
      branch_taken: "approved",
    });
    await vote(cy, run, "approved").expect(409, "run_finished");
  });

  test("ends at the first rejection, also of somebody who had approved", async () => {
    const here = await world();
    const [ada, bob] = (await members(here, 2)) as [World["owner"], World["owner"]];
    const run = await waiting(here, { approver_ids: [ada.userId, bob.userId], required: 2 });
    await vote(ada, run, "approved").expect(200);
    const { data } = await vote(ada, run, "rejected").expect(200);
    expect(statesOf(data)).toMatchObject({ vote: "done, rejected", good: "skipped", bad: "done, failure" });
    expect(nodeOf(data, "vote").approvals).toEqual([{ by: ada.userId, outcome: "rejected", at: expect.any(String) }]);
    expect(data.status).toBe("failed");
  });

  test("is not for others, admins included", async () => {
    const here = await world();
    const [ada, bob] = (await members(here, 2)) as [World["owner"], World["owner"]];
    const run = await waiting(here, { approver_ids: [ada.userId] });
    const admin = await here.as({ role: "admin" });
    for (const other of [bob, admin]) await vote(other, run, "approved").expect(403, "not_stage_actor");
    await vote(ada, run, "success").expect(400, "validation_failed");
    await vote(ada, run, "approved").expect(200);
  });

  test("by role is for those who have the role now", async () => {
    const here = await world();
    const [ada] = (await members(here, 1)) as [World["owner"]];
    const run = await waiting(here, { approver_role: "admin" });
    await vote(ada, run, "approved").expect(403, "not_stage_actor");
    await here.owner.patch(`W/members/${ada.userId}`, { role: "admin" }).expect(200);
    await vote(ada, run, "approved").expect(200);
  });

  test("by role is for everybody with the role, in large workspaces too", async () => {
    const here = await world();
    // Their ids come before those of others.
    await here.sql(
      `with u as (
         insert into app_user (id, kind, email, name, created_at, updated_at)
         select ('00000000' || right(gen_random_uuid()::text, 28))::uuid, 'person', n || $2, 'Early', now(), now()
         from generate_series(1, 110) n returning id)
       insert into member (workspace_id, user_id, role, joined_at) select $1, id, 'member', now() from u`,
      [here.workspace.id, `@${here.workspace.slug}.test`],
    );
    const run = await waiting(here, { approver_role: "member" });
    const [late] = (await members(here, 1)) as [World["owner"]];
    expect((await vote(late, run, "approved").expect(200)).data.status).toBe("completed");
  });

  test("is neither for the starter nor for whoever completed the stage before", async () => {
    const here = await world();
    const [ada, bob, cy] = (await members(here, 3)) as [World["owner"], World["owner"], World["owner"]];
    const approver_ids = [ada.userId, bob.userId, cy.userId];
    const run = async (config: object) => {
      const flow = await approvalBy(here, { approver_ids, ...config });
      return finishWork(bob, await start({ owner: ada }, (await issue(here)).key, flow));
    };
    const strict = await run({});
    for (const own of [ada, bob]) await vote(own, strict, "approved").expect(403, "not_stage_actor");
    await vote(cy, strict, "approved").expect(200);
    await vote(ada, await run({ allow_self: true }), "approved").expect(200);
    await vote(bob, await run({ allow_self: true }), "approved").expect(200);
  });

  test("asks its approvers, once", async () => {
    const here = await world();
    const [ada] = (await members(here, 1)) as [World["owner"]];
    const run = await waiting(here, { approver_ids: [ada.userId] });
    await drain();
    const { data } = await ada.get("W/notifications").expect(200);
    expect(data.map(({ kind, title }: Record<string, string>) => [kind, title])).toEqual([
      ["stage_assigned", `Your approval is requested: Release? (${run.issue_key})`],
    ]);
  });

  test("by several at once counts each vote", async () => {
    const here = await world();
    const voters = await members(here, 5);
    const run = await waiting(here, { approver_ids: voters.map(({ userId }) => userId), required: 5 });
    const replies = await Promise.all(voters.map((one) => vote(one, run, "approved")));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const { data } = await here.owner.get(`W/workflow-runs/${run.id}`).expect(200);
    expect(data.status).toBe("completed");
    expect(nodeOf(data, "vote").approvals).toHaveLength(5);
  });

  test("several stages at once are completed together by those who may", async () => {
    const here = await world();
    const [ada, bob] = (await members(here, 2)) as [World["owner"], World["owner"]];
    const flow = await workflow(
      here,
      [
        { id: "a", kind: "person", assignee_user_id: ada.userId },
        { id: "b", kind: "person", assignee_user_id: bob.userId },
        { id: "c", kind: "approval", config: { approver_ids: [ada.userId] } },
        { id: "end", kind: "end" },
      ],
      [["start", "a"], ["start", "b"], ["start", "c"], ...["a", "b", "c"].map((id) => [id, "end"] as const)],
    );
    const run = await start(here, (await issue(here)).key, flow);
    const { data } = await ada.post(`W/workflow-runs/${run.id}/complete-stage`, {}).expect(200);
    expect(statesOf(data)).toMatchObject({ a: "done, success", b: "active", c: "done, approved", end: "waiting" });
  });
});
