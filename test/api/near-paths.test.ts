import { expect, test } from "vitest";
import { nearestPathIn } from "../../src/api/http/nearest-path.ts";
import { operations } from "../../src/api/operations/index.ts";
import { world } from "../support/world.ts";

/** An unknown path is answered with the path of the API that it probably means. */

test("a mistyped path gets the nearest template with its methods", async () => {
  const { app, owner, workspace } = await world();
  const w = `/v1/workspaces/${workspace.slug}`;
  const W = "/v1/workspaces/{slug}";
  for (const [path, meant] of [
    [`${w}/project/WEB`, `${W}/projects/{key}`],
    [`${w}/projects/WEB/issue`, `${W}/projects/{key}/issues`],
    [`${w}/api_keys`, `${W}/api-keys`],
    [`${w}/agentSessions`, `${W}/agent-sessions`],
    [`${w}/agent-sesions`, `${W}/agent-sessions`],
    [`/workspaces/${workspace.slug}/members`, `${W}/members`],
    [`${w}//projects`, `${W}/projects`],
    [`/api/v1/workspace/${workspace.slug}/docs`, `${W}/docs`],
    ["/v1/project", "/v1/workspaces/{slug}/projects"],
  ] as const) {
    const reply = await fetch(`${app.baseUrl}${path}`, { headers: { authorization: `Bearer ${owner.key}` } });
    const body = (await reply.json()) as { detail: string; error: { details: { did_you_mean: string } } };
    expect(reply.status, path).toBe(404);
    expect(body.error.details.did_you_mean, path).toBe(meant);
    expect(body.detail, path).toContain(`Did you mean ${meant}, with GET`);
  }
  const { body } = await owner.get("/nothing/like/this").expect(404, "not_found");
  expect(body.error.details.did_you_mean).toBeUndefined();
});

test("a word of another service, or a path without its project, gets the template whose last word is akin", async () => {
  const { app, owner, workspace } = await world();
  const [w, W] = [`/v1/workspaces/${workspace.slug}`, "/v1/workspaces/{slug}"];
  const [p, P] = [`${w}/projects/WEB`, `${W}/projects/{key}`];
  const [i, I] = [`${p}/issues/WEB-5`, `${P}/issues/{issueKey}`];
  for (const [method, path, meant] of [
    ["GET", `${w}/labels`, `${P}/labels`],
    ["GET", `${w}/sprints`, `${P}/sprints`],
    ["GET", `${w}/milestones`, `${P}/milestones`],
    ["GET", `${w}/users`, `${W}/members`],
    ["GET", `${w}/people`, `${W}/members`],
    ["GET", `${w}/tickets`, `${W}/issues`],
    ["GET", `${w}/comments`, `${I}/comments`],
    ["GET", `${w}/issues/WEB-5/comments`, `${I}/comments`],
    ["GET", `${w}/me`, "/v1/me"],
    ["GET", "/v1/user", "/v1/me"],
    ["GET", "/me", "/v1/me"],
    ["GET", `${p}/board`, `${P}/statuses`],
    ["GET", `${p}/columns`, `${P}/statuses`],
    ["GET", `${p}/tickets`, `${P}/issues`],
    ["GET", `${p}/docs`, `${W}/docs`],
    ["GET", `${i}/history`, `${I}/activity`],
    ["POST", `${i}/move`, `${I}/transition`],
    ["POST", `${w}/issues/WEB-5/transition`, `${I}/transition`],
    ["GET", `${i}/labels`, `${P}/labels`],
    ["POST", "/mcp", "/api/mcp/v1"],
    ["GET", "/api/mcp", "/api/mcp/v1"],
    ["GET", "/v1/openapi.json", "/api/v1/openapi.json"],
    ["GET", "/llm.txt", "/llms.txt"],
    ["GET", `${w}/sessions`, `${W}/agent-sessions`],
    ["POST", `${p}/sprints/1/start`, `${P}/sprints/{id}`],
    ["POST", `${i}/close`, `${I}`],
    ["PUT", `${i}/assignees`, `${I}`],
    ["POST", `${w}/issues/WEB-5/archive`, `${W}/issues/{issueKey}`],
    ["POST", `${w}/automations/1/enable`, `${W}/automations/{id}`],
    ["POST", `${w}/api-keys/1/revoke`, `${W}/api-keys/{id}`],
    ["POST", `${w}/agents/1/pause`, `${W}/agents/{id}`],
    ["POST", `${w}/agent-sessions/1/complete`, `${W}/agent-sessions/{id}`],
    ["POST", `${w}/workflow-runs/1/approve`, `${W}/workflow-runs/{id}/complete-stage`],
    ["GET", `${i}/close`, undefined],
    ["GET", `${w}/nonsense`, undefined],
    ["DELETE", `${w}/nonsense`, undefined],
    ["GET", `${p}/nonsense`, undefined],
    ["GET", `${i}/nonsense`, undefined],
    ["GET", `${i}/comments/1/nonsense`, undefined],
    ["GET", "/v1/nonsense", undefined],
    ["GET", "/v1/workspaces/x/y/z", undefined],
  ] as const) {
    const reply = await fetch(`${app.baseUrl}${path}`, { method, headers: { authorization: `Bearer ${owner.key}` } });
    const body = (await reply.json()) as { detail: string; error: { details: { did_you_mean?: string } } };
    expect(reply.status, path).toBe(404);
    expect(body.error.details.did_you_mean, path).toBe(meant);
  }
});

test("a template that has the method of the call is preferred", () => {
  const nearest = nearestPathIn(operations);
  const found = (method: string) => nearest("/v1/workspaces/acme/labels/zebra", method)?.template;
  expect(found("PATCH")).toBe("/v1/workspaces/{slug}/projects/{key}/labels/{id}");
  expect(nearest("/v1/workspaces/acme/member", "GET")?.methods).toContain("GET");
  expect(nearest("/v1/workspaces/acme/users", "POST")?.methods).toContain("POST");
});

test("the longest path that is compared takes milliseconds", () => {
  const nearest = nearestPathIn(operations);
  const path = `/${"comment/".repeat(11)}${"x".repeat(200)}`;
  const started = performance.now();
  for (let n = 0; n < 10; n++) nearest(path, "GET");
  expect((performance.now() - started) / 10).toBeLessThan(50);
});
