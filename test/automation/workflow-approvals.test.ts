import { describe, expect, test } from "vitest";
import { agentIn } from "../support/agents.ts";
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

const force = (client: World["owner"], { id }: Pick<Run, "id">) => client.post(`W/workflow-runs/${id}/advance`);

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

  test("is not for the owner of an agent that started the run or worked on it, nor for an agent of such a person", async () => {
    const here = await world();
    const [ada, cy] = [await here.as({ role: "admin" }), await here.as({ role: "admin" })];
    const worker = await here.as({ role: "member" });
    const bot = await agentIn(here, { by: ada, agent_name: "Bot" });
    const other = await agentIn(here, { by: ada, agent_name: "Other" });
    // Somebody else has made the newest key. Ada can still act as the agent.
    await ada.post("W/api-keys", { name: "k", kind: "agent", agent_id: other.id, scopes: ["write"] }).expect(201);
    await here.sql("update api_key set created_by = $1 where user_id = $2 and name = 'k'", [cy.userId, other.id]);
    const foreign = await agentIn(here, { agent_name: "Foreign" });
    const approver_ids = [ada.userId, bot.id, other.id, cy.userId, foreign.id];
    const run = async (starter: World["owner"], by: World["owner"], more = {}) =>
      finishWork(
        by,
        await start(
          { owner: starter },
          (await issue(here)).key,
          await approvalBy(here, { approver_ids, ...more }, by.userId),
        ),
      );
    for (const [starter, by] of [
      [bot.client, worker],
      [ada, worker],
      [worker, bot.client],
      [worker, ada],
      [other.client, worker],
    ] as const) {
      const waits = await run(starter, by);
      for (const own of [ada, bot.client, other.client])
        await vote(own, waits, "approved").expect(403, "not_stage_actor");
      const free = starter === other.client ? foreign.client : cy;
      expect((await vote(free, waits, "approved").expect(200)).data.status).toBe("completed");
    }
    await vote(ada, await run(bot.client, worker, { allow_self: true }), "approved").expect(200);
  });

  test("counts an agent and the person who answers for it once, with their last vote", async () => {
    const here = await world();
    const [ada, cy] = [await here.as({ role: "admin" }), await here.as({ role: "admin" })];
    const bot = await agentIn(here, { by: ada, agent_name: "Bot" });
    const approver_ids = [ada.userId, bot.id, cy.userId];
    const run = await waiting(here, { approver_ids, required: 2 });
    await vote(ada, run, "approved").expect(200);
    const { data: second } = await vote(bot.client, run, "approved").expect(200);
    expect(statesOf(second).vote).toBe("active");
    expect(nodeOf(second, "vote").approvals).toMatchObject([{ by: bot.id, outcome: "approved" }]);
    const { data: third } = await vote(cy, run, "approved").expect(200);
    expect(statesOf(third).vote).toBe("done, approved");
    const free = await waiting(here, { approver_ids, required: 2, allow_self: true });
    await vote(ada, free, "approved").expect(200);
    expect(statesOf((await vote(bot.client, free, "approved").expect(200)).data).vote).toBe("done, approved");
  });

  test("is not for the one who started the run that has started this one, nor for an agent of theirs", async () => {
    const here = await world();
    const [ada, cy] = [await here.as({ role: "admin" }), await here.as({ role: "admin" })];
    const bot = await agentIn(here, { by: ada, agent_name: "Bot" });
    const inner = await workflow(
      here,
      [{ id: "vote", kind: "approval", config: { approver_ids: [ada.userId, bot.id, cy.userId] } }],
      [["start", "vote"]],
    );
    const startInner = { type: "start_workflow", workflow_id: inner, target: "children" };
    const outer = await workflow(
      here,
      [{ id: "act", kind: "action", config: { actions: [startInner] } }],
      [["start", "act"]],
    );
    for (const starter of [ada, bot.client]) {
      const parent = await issue(here);
      const child = await issue(here, { parent: parent.key });
      await start({ owner: starter }, parent.key, outer);
      await drain();
      const id = (await here.owner.get(`P/issues/${child.key}`).expect(200)).data.active_workflow_run_id;
      for (const own of [ada, bot.client]) await vote(own, { id } as Run, "approved").expect(403, "not_stage_actor");
      await vote(cy, { id } as Run, "approved").expect(200);
    }
  });

  test("is also for the creator of a workflow that starts the run, if somebody else began the chain", async () => {
    const here = await world();
    const [bob] = (await members(here, 1)) as [World["owner"]];
    const inner = await workflow(
      here,
      [{ id: "vote", kind: "approval", config: { approver_ids: [here.owner.userId] } }],
      [["start", "vote"]],
    );
    const startInner = { type: "start_workflow", workflow_id: inner, target: "children" };
    const outer = await workflow(
      here,
      [{ id: "act", kind: "action", config: { actions: [startInner] } }],
      [["start", "act"]],
    );
    const parent = await issue(here);
    const child = await issue(here, { parent: parent.key });
    await start({ owner: bob }, parent.key, outer);
    await drain();
    const id = (await here.owner.get(`P/issues/${child.key}`).expect(200)).data.active_workflow_run_id;
    const { data } = await vote(here.owner, { id } as Run, "approved").expect(200);
    expect(statesOf(data).vote).toBe("done, approved");
  });

  test("counts votes only of those who are approvers now", async () => {
    const here = await world();
    const [ada, bob, cy] = [
      await here.as({ role: "admin" }),
      await here.as({ role: "admin" }),
      await here.as({ role: "admin" }),
    ];
    const run = await waiting(here, { approver_role: "admin", required: 2 });
    await vote(ada, run, "approved").expect(200);
    await here.owner.patch(`W/members/${ada.userId}`, { role: "member" }).expect(200);
    const { data: second } = await vote(bob, run, "approved").expect(200);
    expect(statesOf(second).vote).toBe("active");
    await here.owner.patch(`W/members/${ada.userId}`, { role: "admin" }).expect(200);
    const { data: again } = await vote(ada, run, "approved").expect(200);
    expect(statesOf(again).vote).toBe("done, approved");
    const other = await waiting(here, { approver_ids: [bob, cy].map(({ userId }) => userId), required: 2 });
    await vote(cy, other, "approved").expect(200);
    await here.owner.delete(`W/members/${cy.userId}`).expect(200);
    expect(statesOf((await vote(bob, other, "approved").expect(200)).data).vote).toBe("active");
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

describe("force", () => {
  test("skips an approval for an admin, which then counts as rejected, and is said in run, history and audit", async () => {
    const here = await world();
    const [ada, bob] = (await members(here, 2)) as [World["owner"], World["owner"]];
    const run = await waiting(here, { approver_ids: [ada.userId, bob.userId], required: 2 });
    await vote(ada, run, "approved").expect(200);
    const admin = await here.as({ role: "admin", name: "Ann" });
    const { data } = await force(admin, run).expect(200);
    expect(statesOf(data)).toMatchObject({ vote: "done, forced", good: "skipped", bad: "done, failure" });
    expect(nodeOf(data, "vote")).toMatchObject({ branch_taken: "rejected", completed_by: admin.userId });
    expect(data.status).toBe("failed");
    const { data: lines } = await here.owner.get(`P/issues/${run.issue_key}/activity`).expect(200);
    const line = lines.find(({ kind }: { kind: string }) => kind === "workflow_forced");
    expect(line).toMatchObject({ actor_id: admin.userId, actor_kind: "user" });
    expect(line.payload).toMatchObject({ run_id: run.id, node_ids: ["vote"], to_name: "Release?" });
    const { data: audited } = await here.owner.get("W/audit-log?type=workflow_run.advanced").expect(200);
    expect(audited[0]).toMatchObject({
      actor: { id: admin.userId },
      target: { id: run.id, name: run.issue_key },
      project_id: here.project.id,
      changes: { stages: [["vote (approval)"], "forced"] },
    });
  });

  test("skips the named stages alone, so that no stage is skipped that became active meanwhile", async () => {
    const here = await world();
    const [ada] = (await members(here, 1)) as [World["owner"]];
    const flow = await workflow(
      here,
      [
        { id: "vote", kind: "approval", config: { approver_ids: [ada.userId] } },
        { id: "next", kind: "person", assignee_user_id: ada.userId },
        { id: "also", kind: "person", assignee_user_id: ada.userId },
        { id: "end", kind: "end" },
      ],
      [
        ["start", "vote"],
        ["vote", "next"],
        ["vote", "also"],
        ["next", "end"],
        ["also", "end"],
      ],
    );
    const run = await start(here, (await issue(here)).key, flow);
    const path = `W/workflow-runs/${run.id}/advance`;
    await vote(ada, run, "approved").expect(200);
    for (const node_ids of [["vote"], ["vote", "next"], []]) {
      const refused = await here.owner.post(path, { node_ids }).expect(409, "no_active_stage");
      expect(refused.body.error.details).toMatchObject({ node_ids: ["next", "also"] });
    }
    await here.owner.post(path, { node_ids: ["none"] }).expect(400, "invalid_reference");
    const { data } = await here.owner.post(path, { node_ids: ["next"] }).expect(200);
    expect(statesOf(data)).toMatchObject({ vote: "done, approved", next: "done, forced", also: "active" });
    await ada.post(`W/workflow-runs/${run.id}/complete-stage`, { node_id: "also", outcome: "failure" }).expect(200);
    await here.owner.post(path, { node_ids: ["also"] }).expect(409, "no_active_stage");
    expect(statesOf((await here.owner.post(path, { node_ids: [] }).expect(200)).data)).toMatchObject({
      also: "active",
    });
  });

  test("follows the branch forced of an approval, or else fails the run and can ask again", async () => {
    const here = await world();
    const only = async (label: string) => {
      const flow = await workflow(
        here,
        [
          { id: "vote", kind: "approval", config: { approver_role: "owner" } },
          { id: "good", kind: "end" },
          { id: "skipped", kind: "end" },
        ],
        [
          ["start", "vote"],
          ["vote", "good"],
          ["vote", "skipped", label],
        ],
      );
      return start(here, (await issue(here)).key, flow);
    };
    const own = (await force(here.owner, await only("Forced")).expect(200)).data;
    expect(statesOf(own)).toMatchObject({ vote: "done, forced", good: "skipped", skipped: "done, success" });
    const run = await only("timeout");
    const stuck = (await force(here.owner, run).expect(200)).data;
    expect(stuck).toMatchObject({ status: "failed", error: "vote was skipped by force, which does not approve." });
    const again = (await force(here.owner, run).expect(200)).data;
    expect(statesOf(again)).toMatchObject({ vote: "active", good: "pending" });
    const { data: lines } = await here.owner.get(`P/issues/${run.issue_key}/activity`).expect(200);
    const reopened = lines.find(({ kind }: { kind: string }) => kind === "workflow_reopened");
    expect(reopened.payload).toMatchObject({ run_id: run.id, node_ids: ["vote"] });
  });

  test("of the starter ends stages of nobody else, and neither skips nor reopens an approval", async () => {
    const here = await world();
    const [ada, bob] = (await members(here, 2)) as [World["owner"], World["owner"]];
    const flow = await workflow(
      here,
      [
        { id: "own", kind: "person", assignee_user_id: ada.userId },
        { id: "wait", kind: "wait", config: { minutes: 60 } },
        { id: "others", kind: "person", assignee_user_id: bob.userId },
        { id: "vote", kind: "approval", config: { approver_ids: [bob.userId], required: 1 } },
        { id: "end", kind: "end" },
      ],
      [
        ["start", "own"],
        ["own", "wait"],
        ["own", "others", "something"],
        ["wait", "vote"],
        ["others", "vote"],
        ["vote", "end", "approved"],
      ],
    );
    const run = await start({ owner: ada }, (await issue(here)).key, flow);
    await force(bob, run).expect(403, "insufficient_role");
    expect(statesOf((await force(ada, run).expect(200)).data)).toMatchObject({ own: "done, forced", wait: "active" });
    const refused = await force(ada, run).expect(403, "insufficient_role");
    expect(refused.body.error.details).toMatchObject({ node_ids: ["others"], required_role: "admin" });
    await bob.post(`W/workflow-runs/${run.id}/complete-stage`, { node_id: "others" }).expect(200);
    const waits = (await force(ada, run).expect(200)).data;
    expect(statesOf(waits)).toMatchObject({ wait: "done, forced", vote: "active" });
    await force(ada, run).expect(403, "insufficient_role");
    // Without this, Bob has completed the stage before and does not decide.
    await here.sql("update workflow_stage set completed_by = $2 where run_id = $1 and node_id = 'others'", [
      run.id,
      here.owner.userId,
    ]);
    await vote(bob, run, "rejected").expect(200);
    await force(ada, run).expect(403, "insufficient_role");
    const admin = await here.as({ role: "admin" });
    expect(statesOf((await force(admin, run).expect(200)).data)).toMatchObject({ vote: "active" });
    expect(statesOf((await force(admin, run).expect(200)).data)).toMatchObject({
      vote: "done, forced",
      end: "skipped",
    });
  });

  test("of an agent does not approve the run that it has started, and no completion is forced", async () => {
    const here = await world();
    const [ada] = (await members(here, 1)) as [World["owner"]];
    const { client: agent } = await agentIn(here, { scopes: ["admin"] });
    const flow = await workflow(
      here,
      [
        { id: "vote", kind: "approval", config: { approver_ids: [ada.userId] } },
        { id: "end", kind: "end" },
      ],
      [
        ["start", "vote"],
        ["vote", "end"],
      ],
    );
    const run = await start({ owner: agent }, (await issue(here)).key, flow);
    await force(agent, run).expect(403, "insufficient_role");
    await vote(agent, run, "approved").expect(403, "not_stage_actor");
    await vote(ada, run, "forced").expect(400, "validation_failed");
    await vote(agent, run, "approved", { force: true }).expect(400, "unknown_field");
    expect(statesOf((await here.owner.get(`W/workflow-runs/${run.id}`).expect(200)).data).vote).toBe("active");
  });

  test("is not for the person in whose name an automation or another run has started it", async () => {
    const here = await world();
    const ada = await here.as({ role: "member" });
    const flow = await workflow(here, [{ id: "wait", kind: "wait", config: { minutes: 60 } }], [["start", "wait"]]);
    for (const cause of ["automation_id", "root_event_id"]) {
      const run = await start({ owner: ada }, (await issue(here)).key, flow);
      await here.sql(`update workflow_run set ${cause} = gen_random_uuid() where id = $1`, [run.id]);
      await force(ada, run).expect(403, "insufficient_role");
    }
  });
});
