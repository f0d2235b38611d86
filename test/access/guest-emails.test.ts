import { describe, expect, test } from "vitest";
import { browser } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { world } from "../support/world.ts";

/** Guests know people by name. They see no e-mail address except their own, and find no one by address. */

async function withGuest() {
  const here = await world();
  const guest = await here.as({ role: "guest", projectRole: "member", name: "Gail Guest" });
  const member = await here.as({ role: "member", projectRole: "member", name: "Mia Member" });
  const viewer = await here.as({ role: "viewer" });
  return { ...here, guest, member, viewer };
}

type Row = { user_id: string; name: string | null; email?: string };
const rowOf = (rows: Row[], { userId }: Client) => rows.find(({ user_id }) => user_id === userId)!;

describe("a guest", () => {
  test.each(["W/members", "P/members"])("reads names and their own e-mail address in GET %s", async (path) => {
    const { owner, guest, member, viewer } = await withGuest();
    const rows: Row[] = (await guest.get(path).expect(200)).data;
    expect(rowOf(rows, member)).toMatchObject({ name: "Mia Member" });
    expect(rowOf(rows, member)).not.toHaveProperty("email");
    expect(rowOf(rows, guest)).toMatchObject({ name: "Gail Guest", email: guest.email });
    for (const other of [owner, viewer]) {
      expect(rowOf((await other.get(path).expect(200)).data, member)).toMatchObject({ email: member.email });
    }
  });

  test("cannot find out by a filter whether an address exists", async () => {
    const { owner, guest, member, viewer } = await withGuest();
    await owner.post("P/issues", { title: "Hers", assignee: member.email, reporter: member.email }).expect(201);
    await owner.post("P/issues", { title: "Own", assignee: guest.email, reporter: guest.email }).expect(201);
    const titles = async (client: Client, query: string) =>
      (await client.get(`P/issues?${query}`).expect(200)).data.map(({ title }: { title: string }) => title);
    const refusalOf = (field: string) =>
      `${field}:  is not the e-mail address of a member whom you can see. listMembers (GET /v1/workspaces/{slug}/members) lists what exists.`;
    for (const field of ["assignee", "reporter"]) {
      // The same refusal for an address that the guest must not see, and for one that does not exist.
      for (const email of [member.email, member.email.toUpperCase(), `absent@${"x".repeat(10)}.test`]) {
        const { body } = await guest.get(`P/issues?${field}=${email}`).expect(400, "invalid_parameter");
        expect(body.detail.replace(email, "")).toBe(refusalOf(field));
      }
      expect(await titles(guest, `${field}=${guest.email.toUpperCase()}`)).toEqual(["Own"]);
      expect(await titles(guest, `${field}=me`)).toEqual(["Own"]);
      expect(await titles(guest, `${field}=${member.userId}`)).toEqual(["Hers"]);
      for (const other of [owner, viewer]) expect(await titles(other, `${field}=${member.email}`)).toEqual(["Hers"]);
    }
    const { data: view } = await owner
      .post("P/saved-views", { name: "Hers", filter: { assigneeId: member.email }, is_shared: true })
      .expect(201);
    // A view names people by id, as the issues do.
    expect(view.filter).toEqual({ assigneeId: member.userId });
    for (const seen of [await guest.get("P/saved-views"), await guest.get(`P/issues?view=${view.id}`)]) {
      expect(seen.text).toContain(member.userId);
      expect(seen.text).not.toContain(member.email);
    }
    const probe = (assigneeId: string) =>
      guest.post("P/saved-views", { name: "x", filter: { assigneeId }, is_shared: false });
    await probe(member.email).expect(400, "invalid_reference");
    await probe(`nobody@${"x".repeat(10)}.test`).expect(400, "invalid_reference");
  });

  test("cannot reference people by address: it is rejected like an unknown one", async () => {
    const { owner, guest, member } = await withGuest();
    const { data: field } = await owner.post("P/custom-field-defs", { name: "Reviewer", kind: "user" }).expect(201);
    const { data: issue } = await guest.post("P/issues", { title: "x" }).expect(201);
    const nobody = `nobody@${member.email.split("@")[1]}`;
    const answers = async (email: string) => {
      const replies = [
        await guest.post("P/issues", { title: "y", assignee: email }),
        await guest.post("P/issues", { title: "y", assignee_ids: [email] }),
        await guest.post("P/issues", { title: "y", reporter: email }),
        await guest.post("P/issues", { title: "y", watcher_ids: [email] }),
        await guest.post("P/issues", { title: "y", custom_fields: { Reviewer: email } }),
        await guest.post("P/issues/bulk", { items: [{ title: "y", assignee: email }] }),
        await guest.patch(`P/issues/${issue.key}`, { assignee: email }),
        await guest.put(`P/issues/${issue.key}/custom-fields/${field.id}`, { value: email }),
        await guest.delete(`P/issues/${issue.key}/watchers/${encodeURIComponent(email)}`),
        await guest.delete(`P/members/${encodeURIComponent(email)}`),
        await guest.delete(`W/members/${encodeURIComponent(email)}`),
      ];
      return replies.map(({ status, text }) =>
        [status, text.replaceAll(email, "EMAIL").replace(/"request_id":"[^"]+"/, "")].join(" "),
      );
    };
    expect(await answers(member.email)).toEqual(await answers(nobody));
    await guest.post("P/issues", { title: "y", assignee: member.userId }).expect(201);
    await guest.post("P/issues", { title: "y", assignee: guest.email }).expect(201);
    await owner.post("P/issues", { title: "y", assignee: member.email }).expect(201);
  });

  test("sees no address instead of a missing name", async () => {
    const { owner, guest, member, viewer, sql } = await withGuest();
    const { data: field } = await owner.post("P/custom-field-defs", { name: "Reviewer", kind: "user" }).expect(201);
    const custom_fields = { Reviewer: member.userId };
    const { data: issue } = await owner
      .post("P/issues", { title: "x", assignee: member.userId, custom_fields })
      .expect(201);
    await sql(`update app_user set name = null where id = $1`, [member.userId]);
    const read = async (client: Client) => [
      (await client.get(`P/issues/${issue.key}/custom-fields`).expect(200)).data.find(
        ({ field_id }: { field_id: string }) => field_id === field.id,
      ).display_value,
      (await client.get("P/reports/workload").expect(200)).data.data.rows[0].assignee_name,
      (await client.get("P/reports/workload?format=csv").expect(200)).text.includes(member.email),
    ];
    expect(await read(viewer)).toEqual([member.email, member.email, true]);
    expect(await read(guest)).toEqual([null, "", false]);
  });

  test("sees the members' page with names", async () => {
    const { app, workspace, guest, member, viewer, sql } = await withGuest();
    const path = `/w/${workspace.slug}/members`;
    const page = await (await browser(app, guest.userId)).get(path);
    expect(page.text).toContain("Mia Member");
    expect(page.text).not.toContain(member.email);
    await sql(`update app_user set name = null where id = $1`, [member.userId]);
    expect((await (await browser(app, guest.userId)).get(path)).text).toContain("Somebody without a name");
    expect((await (await browser(app, viewer.userId)).get(path)).text).toContain(member.email);
  });

  test("who becomes a full member sees addresses from the next call on", async () => {
    const { owner, guest, member } = await withGuest();
    await owner.patch(`W/members/${guest.userId}`, { role: "viewer" }).expect(200);
    expect(rowOf((await guest.get("W/members").expect(200)).data, member)).toMatchObject({ email: member.email });
  });
});

test("events contain members' addresses, whether or not the member is a guest", async () => {
  const { owner, sql, workspace, guest } = await withGuest();
  await owner.patch(`W/members/${guest.userId}`, { role: "viewer" }).expect(200);
  const [event] = await sql<{ data: Row }>(
    `select data from event where workspace_id = $1 and type = 'member.role_changed'`,
    [workspace.id],
  );
  expect(event!.data.email).toBe(guest.email);
});
