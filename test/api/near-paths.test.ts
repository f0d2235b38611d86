import { expect, test } from "vitest";
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
