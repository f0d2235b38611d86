import { expect, test } from "vitest";
import { seedDemo } from "../../src/dev/demo.ts";
import { app } from "../support/app.ts";
import { Client } from "../support/client.ts";

test("the demo is created once, and its key is reused while it is live", async () => {
  const { baseUrl, config } = await app();
  const options = {
    databaseUrl: config.DATABASE_URL,
    redisUrl: config.REDIS_URL,
    baseUrl,
    secretKey: config.SECRET_KEY,
  };
  const first = await seedDemo(options);
  expect(first).toMatchObject({ workspace: "acme", project_key: "WEB", owner_email: "owner@acme.test" });

  const places = { W: "/v1/workspaces/acme", P: "/v1/workspaces/acme/projects/WEB" };
  const client = (key: string) => new Client(baseUrl, places, { key, userId: "", email: "" });
  const owner = client(first.api_key);
  expect((await owner.get("/v1/me").expect(200)).data).toMatchObject({
    role: "owner",
    scopes: ["admin"],
    workspace: { plan: "business" },
  });

  const { data: issues } = await owner.get("P/issues?limit=100").expect(200);
  expect(issues).toHaveLength(25);
  const count = (field: string) => new Set(issues.map((issue: Record<string, unknown>) => issue[field])).size;
  expect({ types: count("type"), statuses: count("status"), people: count("assignee_name") }).toEqual({
    types: 5,
    statuses: 6,
    people: 5,
  });
  const bug = issues.find((issue: { title: string }) => issue.title.startsWith("Cart shows"));
  expect(bug).toMatchObject({ status: "in_progress", counts: { comments: 2 } });
  const { data: comments } = await owner.get(`P/issues/${bug.key}/comments`).expect(200);
  expect(comments.map((comment: { author_name: string }) => comment.author_name)).toEqual(["Emi Tanaka", "Ben Okafor"]);
  const { data: activity } = await owner.get(`P/issues/${bug.key}/activity`).expect(200);
  expect(activity[0]).toMatchObject({ actor_name: "Ben Okafor" });

  const again = await seedDemo({ ...options, known: { api_key: first.api_key } });
  expect(again).toEqual(first);
  expect((await owner.get("P/issues?limit=100").expect(200)).data).toHaveLength(25);

  const { data: keys } = await owner.get("W/api-keys").expect(200);
  expect(keys).toHaveLength(1);
  await owner.delete(`W/api-keys/${keys[0].id}`).expect(200);
  const renewed = await seedDemo({ ...options, known: { api_key: first.api_key } });
  expect(renewed.api_key).not.toBe(first.api_key);
  await client(renewed.api_key).get("P/issues").expect(200);
});
