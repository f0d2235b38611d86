import { expect, test } from "vitest";
import { type ActingFor, actFor, actForInProject, type Unable } from "../../src/domain/access/identity/act-as.ts";
import { BY_PERSON } from "../../src/domain/access/identity/set-up-by.ts";
import { backgroundOf } from "../../src/domain/events/background.ts";
import { causedBy } from "../../src/domain/kernel/context.ts";
import { newId } from "../../src/domain/kernel/ids.ts";
import { create } from "../../src/domain/work/issues/create.ts";
import { IssueCreateInput } from "../../src/domain/work/issues/inputs.ts";
import { transact } from "../support/acting.ts";
import { type World, world } from "../support/world.ts";

/** A worker that acts for a user has that user's current rights, and no others. */

const through = { kind: "automation" as const, id: newId(), name: "Triage" };

const base = ({ app }: World) => backgroundOf(app.resources, new Date().toISOString());

const forUser = ({ workspace }: World, userId: string, more: Partial<ActingFor> = {}): ActingFor => ({
  workspaceId: workspace.id,
  userId,
  by: BY_PERSON,
  cause: {},
  ...more,
});

const able = <Ctx extends object>(acting: Ctx | Unable): Ctx => {
  if (typeof acting === "string") throw new Error(acting);
  return acting;
};

test("an automation makes an issue in its creator's name, and the event says what acted and how far from the root", async () => {
  const here = await world();
  const member = await here.as({ role: "member" });
  const root = { id: newId(), cause: {} };
  const first = causedBy(root, { automation_id: through.id });
  const cause = causedBy({ id: newId(), cause: first }, { automation_id: through.id });
  const ctx = able(
    await actForInProject(base(here), forUser(here, member.userId, { through, cause }), here.project.id),
  );
  const issue = await transact(here.app, ctx, here.workspace.id, (writing) =>
    create(writing, IssueCreateInput.parse({ title: "Made by a rule" })),
  );

  expect(issue.reporter_id).toBe(member.userId);
  const [event] = await here.sql<{ actor_kind: string; actor_id: string; actor_name: string; cause: object }>(
    `select actor_kind, actor_id, actor_name, cause from event where type = 'issue.created' and issue_id = '${issue.id}'`,
  );
  expect(event).toEqual({
    actor_kind: "automation",
    actor_id: through.id,
    actor_name: "Triage",
    cause: { automation_id: through.id, root_event_id: root.id, depth: 2 },
  });
});

test("nobody acts on behalf of a member who has left", async () => {
  const here = await world();
  const member = await here.as({ role: "member" });
  expect(able(await actFor(base(here), forUser(here, member.userId))).principal.role).toBe("member");
  await here.owner.delete(`W/members/${member.userId}`).expect(200);
  expect(await actFor(base(here), forUser(here, member.userId))).toBe("rights");
  expect(await actForInProject(base(here), forUser(here, member.userId), here.project.id)).toBe("rights");
});

test("the role is the one that the member has now", async () => {
  const here = await world();
  const member = await here.as({ role: "member" });
  await here.owner.patch(`W/members/${member.userId}`, { role: "viewer" }).expect(200);
  expect(able(await actFor(base(here), forUser(here, member.userId))).principal.role).toBe("viewer");
});

test("no worker acts for a member in a project that they cannot see or that is archived", async () => {
  const here = await world();
  const guest = await here.as({ role: "guest" });
  expect(await actForInProject(base(here), forUser(here, guest.userId), here.project.id)).toBe("rights");
  const member = await here.as({ role: "member" });
  expect(await actForInProject(base(here), forUser(here, member.userId), newId())).toBe("rights");
  await here.owner.delete("P").expect(200);
  expect(await actForInProject(base(here), forUser(here, member.userId), here.project.id)).toBe("rights");
});

test("no worker acts for a user of another workspace", async () => {
  const [here, elsewhere] = [await world(), await world()];
  expect(await actFor(base(here), forUser(here, elsewhere.owner.userId))).toBe("rights");
});

test("an agent acts only while its key is live and the key's creator is a member", async () => {
  const here = await world();
  const admin = await here.as({ role: "admin" });
  const { data: key } = await admin
    .post("W/api-keys", { name: "Bot", scopes: ["write"], kind: "agent", agent_name: "Bot" })
    .expect(201);
  const agentId: string = key.agent_id;
  const acting = able(await actFor(base(here), forUser(here, agentId)));
  expect(acting.actor).toEqual({ id: agentId, kind: "agent", name: "Bot" });
  expect(acting.principal.maker_role).toBe("admin");
  await here.owner.delete(`W/api-keys/${key.id}`).expect(200);
  expect(await actFor(base(here), forUser(here, agentId))).toBe("rights");
});
