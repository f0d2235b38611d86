import { expect, test } from "vitest";
import { drain } from "../support/jobs.ts";
import { world } from "../support/world.ts";
import { addRule, runsOf, stateOf } from "./rules-by-sql.ts";

const RAISE = { type: "set_priority", priority: "critical", target: "self" };
const COMMENT = { type: "add_comment", comment: "Seen: {{issue.title}}", target: "self" };

test("a new issue that matches is changed as the automation says, by the automation", async () => {
  const here = await world();
  const rule = await addRule(here, { trigger: "issue.created", actions: [RAISE, COMMENT], name: "Raise" });
  const { data: issue } = await here.owner.post("P/issues", { title: "Broken" }).expect(201);
  await drain();
  const { data: after } = await here.owner.get(`P/issues/${issue.key}`);
  expect(after).toMatchObject({ priority: "critical", counts: { comments: 1 } });
  expect(await runsOf(here)).toMatchObject([
    {
      automation_id: rule,
      issue_id: issue.id,
      trigger: "issue.created",
      depth: 1,
      status: "ok",
      reason: null,
      actions_applied: [
        { type: "set_priority", ok: true, issue_id: issue.id },
        { type: "add_comment", ok: true },
      ],
    },
  ]);
  const [changed] = await here.sql(
    `select actor_kind, actor_name, cause from event where workspace_id = $1 and type = 'issue.priority_changed'`,
    [here.workspace.id],
  );
  const [run] = await runsOf(here);
  expect(changed).toMatchObject({ actor_kind: "automation", actor_name: "Raise" });
  expect(changed!.cause).toEqual({ automation_id: rule, root_event_id: run!.event_id, depth: 1 });
  expect(await stateOf(here, rule)).toMatchObject({ enabled: true, run_count: 1, failure_count: 0 });
});

test("only owners and admins see details that name other issues", async () => {
  const here = await world();
  const hidden = await here.hidden("SEC");
  const { data: secret } = await hidden.owner.post("P/issues", { title: "Secret" }).expect(201);
  const link = { type: "link_issue", kind: "relates_to", target_key: secret.key, target: "self" };
  const copy = { type: "create_issue", project: "SEC", issue: { type: "task", title: "A copy", priority: "low" } };
  const rule = await addRule(here, {
    trigger: "issue.created",
    actions: [copy, link, RAISE],
    project_id: here.project.id,
  });
  await here.owner.post("P/issues", { title: "Broken" }).expect(201);
  await drain();
  const member = await here.as({ role: "member" });
  const details = async (client: typeof here.owner) => {
    const [run] = (await client.get(`W/automations/${rule}/runs`).expect(200)).data;
    return run.actions_applied.map(({ detail }: { detail: string | null }) => detail);
  };
  expect(await details(here.owner)).toEqual(["Created SEC-2.", "Linked to SEC-1.", "Priority: critical."]);
  expect(await details(member)).toEqual([null, null, "Priority: critical."]);
});
