import { expect, test } from "vitest";
import { type World, world } from "../support/world.ts";

type Row = {
  type: string;
  actor_id: string | null;
  actor_kind: string;
  key_id: string | null;
  ip: string | null;
  user_agent: string | null;
  target_type: string;
  target_id: string | null;
  target_name: string | null;
  project_id: string | null;
  changes: Record<string, [unknown, unknown]>;
  cause: Record<string, string>;
};

/** Stored entries, oldest first. */
const entriesOf = ({ sql, workspace }: World): Promise<Row[]> =>
  sql<Row>(`select * from audit_entry where workspace_id = $1 order by id`, [workspace.id]);

test("a change of a member's role says who changed what, with which key, from where", async () => {
  const here = await world();
  const member = await here.as({ role: "member", name: "Mary" });
  await here.owner.patch(`W/members/${member.userId}`, { role: "admin" }).expect(200);
  await here.owner.patch(`W/members/${member.userId}`, { role: "admin" }).expect(200);
  expect(await entriesOf(here)).toMatchObject([
    {
      type: "member.role_changed",
      actor_id: here.owner.userId,
      actor_kind: "user",
      ip: expect.stringMatching(/^(127\.0\.0\.0\/24|::\/48)$/),
      target_type: "member",
      target_id: member.userId,
      target_name: "Mary",
      changes: { role: ["member", "admin"] },
    },
  ]);
});

test("stored entries cannot be changed or deleted", async () => {
  const here = await world();
  await here.owner.patch("W", { name: "New name" }).expect(200);
  const refused = /append-only/;
  await expect(here.sql(`update audit_entry set type = 'x'`)).rejects.toThrow(refused);
  await expect(here.sql(`delete from audit_entry where workspace_id = $1`, [here.workspace.id])).rejects.toThrow(
    refused,
  );
  await expect(here.sql(`truncate audit_entry`)).rejects.toThrow(refused);
  expect(await entriesOf(here)).toMatchObject([
    { type: "workspace.updated", changes: { name: [expect.anything(), "New name"] } },
  ]);
});
