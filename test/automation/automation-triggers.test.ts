import { expect, test } from "vitest";
import { newId } from "../../src/domain/kernel/ids.ts";
import { startAutomations } from "../../src/workers/automation/start-schedules.ts";
import { watchIssues } from "../../src/workers/automation/watch-due-dates.ts";
import { drain } from "../support/jobs.ts";
import { type World, world } from "../support/world.ts";
import { workflow } from "./flows.ts";
import { addRule, runsOf } from "./rules-by-sql.ts";

/** What starts automations. */

const COMMENT = { type: "add_comment", comment: "Seen", target: "self" };

/** Rules by name, and afterwards the keys of the issues for which each has run. */
async function tried(
  here: World,
  rules: Record<string, { trigger: string; config?: object; conditions?: object; project_id?: string }>,
  happen: () => Promise<unknown>,
) {
  const ids = new Map<string, string>();
  for (const [name, { trigger, config = {}, ...rest }] of Object.entries(rules)) {
    ids.set(await addRule(here, { name, trigger, trigger_config: config, actions: [COMMENT], ...rest }), name);
  }
  await happen();
  await drain({ also: [startAutomations, watchIssues] });
  const keys = new Map(
    (
      await here.sql<{ id: string; key: string }>("select id, key from issue where workspace_id = $1", [
        here.workspace.id,
      ])
    ).map(({ id, key }) => [id, key]),
  );
  const found: Record<string, (string | null)[]> = Object.fromEntries(Object.keys(rules).map((name) => [name, []]));
  for (const run of await runsOf(here)) {
    expect(run.status).toBe("ok");
    found[ids.get(run.automation_id)!]!.push(run.issue_id && keys.get(run.issue_id)!);
  }
  return Object.fromEntries(Object.entries(found).map(([name, about]) => [name, about.toSorted()]));
}

const issue = async ({ owner }: World, more: object = {}) =>
  (await owner.post("P/issues", { title: "An issue", ...more }).expect(201)).data;

test("a move starts automations by category, id and name of both columns", async () => {
  const here = await world();
  const { columns } = here;
  const moved = (config: object) => ({ trigger: "issue.status_changed", config });
  const runs = await tried(
    here,
    {
      any: moved({}),
      toDone: moved({ to: ["done"] }),
      toDoneById: moved({ to: [columns.Done] }),
      toDoneByName: moved({ to: ["DONE", "nowhere"] }),
      fromTodo: moved({ from: ["todo"] }),
      fromTodoByName: moved({ from: ["To Do"] }),
      fromTodoById: moved({ from: [columns["To Do"]] }),
      fromDone: moved({ from: ["done"] }),
      fromNameOfNew: moved({ from: ["In Progress"], to: ["in_progress"] }),
      progressToDone: moved({ from: ["in_progress"], to: ["completed"] }),
    },
    async () => {
      await issue(here);
      await here.owner.post("P/issues/WEB-1/transition", { status: "in_progress" }).expect(200);
      await here.owner.post("P/issues/WEB-1/transition", { status: "done" }).expect(200);
    },
  );
  expect(runs).toEqual({
    any: ["WEB-1", "WEB-1"],
    toDone: ["WEB-1"],
    toDoneById: ["WEB-1"],
    toDoneByName: ["WEB-1"],
    fromTodo: ["WEB-1"],
    fromTodoByName: ["WEB-1"],
    fromTodoById: ["WEB-1"],
    fromDone: [],
    fromNameOfNew: [],
    progressToDone: ["WEB-1"],
  });
});

test("changes of an issue start automations for exactly that change", async () => {
  const here = await world();
  const bob = await here.as({ role: "member" });
  const label = (await here.owner.post("P/labels", { name: "bug" }).expect(201)).data.id;
  const other = (await here.owner.post("P/labels", { name: "other" }).expect(201)).data.id;
  const runs = await tried(
    here,
    {
      created: { trigger: "issue.created" },
      raised: { trigger: "issue.priority_changed", config: { from: ["low", "medium"], to: ["critical"] } },
      lowered: { trigger: "issue.priority_changed", config: { to: ["low"] } },
      assigned: { trigger: "issue.assigned" },
      assignedBob: { trigger: "issue.assigned", config: { user_id: bob.userId } },
      assignedOlive: { trigger: "issue.assigned", config: { user_id: here.owner.userId } },
      unassigned: { trigger: "issue.unassigned", config: { user_id: bob.userId } },
      updated: { trigger: "issue.updated" },
      titled: { trigger: "issue.updated", config: { fields: ["title"] } },
      described: { trigger: "issue.updated", config: { fields: ["description", "due_at"] } },
      labelled: { trigger: "issue.labelled" },
      bug: { trigger: "issue.labelled", config: { label_ids: [label] } },
      archived: { trigger: "issue.archived" },
      elsewhere: {
        trigger: "issue.updated",
        conditions: { match: "all", rules: [{ field: "type", op: "is", value: "bug" }] },
      },
    },
    async () => {
      const { owner } = here;
      await issue(here);
      await owner.patch("P/issues/WEB-1", { priority: "critical" }).expect(200);
      await owner.patch("P/issues/WEB-1", { assignees: [bob.userId] }).expect(200);
      await owner.patch("P/issues/WEB-1", { assignees: [] }).expect(200);
      await owner.patch("P/issues/WEB-1", { title: "Another", description: "Words" }).expect(200);
      await owner.patch("P/issues/WEB-1", { labels: [other] }).expect(200);
      await owner.patch("P/issues/WEB-1", { labels: [other, label] }).expect(200);
      await owner.patch("P/issues/WEB-1", { labels: [label] }).expect(200);
      await issue(here);
      await owner.delete("P/issues/WEB-2").expect(200);
    },
  );
  expect(runs).toEqual({
    created: ["WEB-1", "WEB-2"],
    raised: ["WEB-1"],
    lowered: [],
    assigned: ["WEB-1"],
    assignedBob: ["WEB-1"],
    assignedOlive: [],
    unassigned: ["WEB-1"],
    updated: Array.from({ length: 7 }, () => "WEB-1"),
    titled: ["WEB-1"],
    described: ["WEB-1"],
    labelled: ["WEB-1", "WEB-1"],
    bug: ["WEB-1"],
    archived: ["WEB-2"],
    elsewhere: [],
  });
});

test("comments, closed blockers and answers of forms start automations of their issue", async () => {
  const here = await world();
  const form = await here.owner
    .post("P/forms", {
      title: "Report",
      fields: [{ kind: "short_text", label: "What?", mapping: "title" }],
      status: "published",
    })
    .expect(201);
  const runs = await tried(
    here,
    {
      commented: { trigger: "comment.added" },
      byUser: { trigger: "comment.added", config: { by: "user" } },
      byAgent: { trigger: "comment.added", config: { by: "agent" } },
      urgent: {
        trigger: "comment.added",
        conditions: { match: "all", rules: [{ field: "priority", op: "is", value: "critical" }] },
      },
      unblocked: { trigger: "issue.unblocked" },
      answered: { trigger: "form.submitted", config: { form_id: form.data.id } },
      otherForm: { trigger: "form.submitted", config: { form_id: newId() } },
    },
    async () => {
      const { owner } = here;
      await issue(here);
      await issue(here, { priority: "critical" });
      await owner.post("P/issues/WEB-1/links", { target_key: "WEB-2", kind: "blocks" }).expect(201);
      await owner.post("P/issues/WEB-2/comments", { body: "Hello" }).expect(201);
      await owner.post("P/issues/WEB-1/transition", { status: "done" }).expect(200);
      const [field] = form.data.fields;
      await owner.post(`P/forms/${form.data.id}/submissions`, { answers: { [field.id]: "It broke" } }).expect(201);
    },
  );
  expect(runs).toEqual({
    commented: ["WEB-2"],
    byUser: ["WEB-2"],
    byAgent: [],
    urgent: ["WEB-2"],
    unblocked: ["WEB-2"],
    answered: ["WEB-3"],
    otherForm: [],
  });
});

test("sprints, releases and milestones start automations about no issue", async () => {
  const here = await world();
  const hidden = await here.hidden();
  const runs = await tried(
    here,
    {
      started: { trigger: "sprint.started" },
      completed: { trigger: "sprint.completed", project_id: here.project.id },
      elsewhere: { trigger: "sprint.completed", project_id: hidden.project.id },
      named: {
        trigger: "sprint.started",
        conditions: { match: "all", rules: [{ field: "title", op: "contains", value: "week" }] },
      },
      released: { trigger: "release.released" },
      milestone: { trigger: "milestone.completed" },
    },
    async () => {
      const { owner } = here;
      const sprint = (await owner.post("P/sprints", { name: "Week 1" }).expect(201)).data.id;
      await owner.patch(`P/sprints/${sprint}`, { status: "active" }).expect(200);
      await owner.patch(`P/sprints/${sprint}`, { status: "completed" }).expect(200);
      const release = (await owner.post("P/releases", { name: "1.0" }).expect(201)).data.id;
      await owner.patch(`P/releases/${release}`, { status: "released" }).expect(200);
      const milestone = (await owner.post("P/milestones", { name: "Beta" }).expect(201)).data.id;
      await owner.patch(`P/milestones/${milestone}`, { status: "completed" }).expect(200);
    },
  );
  expect(runs).toEqual({
    started: [null],
    completed: [null],
    elsewhere: [],
    named: [null],
    released: [null],
    milestone: [null],
  });
});

test("runs of workflows and states of sessions start automations of their issue", async () => {
  const here = await world();
  const flow = await workflow(
    here,
    [
      { id: "ask", kind: "person" },
      { id: "end", kind: "end" },
    ],
    [
      ["start", "ask"],
      ["ask", "end"],
    ],
  );
  const finished = (config: object) => ({ trigger: "workflow_run.finished", config });
  const stated = (config: object) => ({ trigger: "agent_session.state_changed", config });
  const runs = await tried(
    here,
    {
      any: finished({}),
      cancelled: finished({ statuses: ["cancelled"] }),
      failed: finished({ statuses: ["failed"] }),
      thisFlow: finished({ workflow_id: flow }),
      otherFlow: finished({ workflow_id: newId() }),
      session: stated({}),
      review: stated({ states: ["review"] }),
      done: stated({ states: ["done"] }),
    },
    async () => {
      const { id, key } = await issue(here);
      await here.owner.post(`P/issues/${key}/workflow`, { workflow_id: flow }).expect(201);
      await here.owner.delete(`P/issues/${key}/workflow`).expect(200);
      await here.sql(
        `with told as (
           insert into event (id, workspace_id, type, project_id, issue_id, actor_kind, cause, data, created_at)
           values (uuidv7(), $1, 'agent_session.state_changed', $2, $3, 'agent', '{}', $4, now()) returning id)
         insert into outbox (event_id, workspace_id, type) select id, $1, 'agent_session.state_changed' from told`,
        [here.workspace.id, here.project.id, id, JSON.stringify({ id: newId(), state: "review" })],
      );
    },
  );
  expect(runs).toEqual({
    any: ["WEB-1"],
    cancelled: ["WEB-1"],
    failed: [],
    thisFlow: ["WEB-1"],
    otherFlow: [],
    session: ["WEB-1"],
    review: ["WEB-1"],
    done: [],
  });
});
