import { refuse } from "../../../domain/kernel/errors.ts";
import type { Site } from "../site/site.ts";

/**
 * Addresses below a workspace that are no pages. A mistyped one gets a refusal in the workspace's frame. `/p` alone leads
 * to the projects.
 */
export function missingPages(site: Site): void {
  site.workspace("get", "/w/:slug/p", async ({ here }) => ({ to: `/w/${here.workspace.slug}/projects` }));
  for (const method of ["get", "post"] as const)
    site.workspace(method, "/w/:slug/*rest", async () => refuse("not_found"));
}
