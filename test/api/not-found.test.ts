import { expect, test } from "vitest";
import { world } from "../support/world.ts";

/** A 404 says which part of the path was not found, and reveals nothing that the key may not know. */

test("the workspace, the project, the issue and what lies below each are told apart", async () => {
  const { owner } = await world();
  const { data: issue } = await owner.post("P/issues", { title: "Here" }).expect(201);
  const nobody = "019a0000-0000-7000-8000-000000000000";
  for (const [path, parameter, value] of [
    ["/v1/workspaces/elsewhere/projects/WEB", "slug", "elsewhere"],
    ["W/projects/NONE/issues", "key", "NONE"],
    ["P/issues/WEB-99", "issueKey", "WEB-99"],
    [`P/milestones/${nobody}`, "id", nobody],
    [`W/webhooks/${nobody}`, "id", nobody],
    [`P/forms/${nobody}/submissions/${nobody}`, "sid", nobody],
  ]) {
    const { body } = await owner.get(path as string).expect(404, "not_found");
    expect(body.error.details, path).toEqual({ parameter, value });
    expect(body.detail).toContain(value);
  }
  const { body } = await owner.delete(`P/issues/${issue.key}/links/${nobody}`).expect(404, "not_found");
  expect(body.error.details.parameter).toBe("id");
});

test("hidden objects cannot be distinguished from missing ones", async () => {
  const here = await world();
  const hidden = await here.hidden();
  const { data: issue } = await hidden.owner.post("P/issues", { title: "Secret" }).expect(201);
  const outsider = await here.as({ role: "member" });
  const [real, made] = [
    await outsider.get(`W/projects/HID/issues/${issue.key}`).expect(404, "not_found"),
    await outsider.get(`W/projects/NIL/issues/${issue.key}`).expect(404, "not_found"),
  ];
  const { request_id: _, ...seen } = real.body;
  const { request_id: __, ...other } = made.body;
  expect(JSON.stringify(seen)).toBe(JSON.stringify(other).replaceAll("NIL", "HID"));
});

test("a long part of a path is shown in short", async () => {
  const { owner } = await world();
  const { body } = await owner.get(`W/projects/${"x".repeat(400)}`).expect(404, "not_found");
  expect(body.error.details.value).toBe(`${"x".repeat(100)}…`);
});
