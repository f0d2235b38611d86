import Router from "@koa/router";
import { operations } from "../../src/api/operations/index.ts";
import { peoplePages } from "../../src/api/pages/people/index.ts";
import { exampleOf, type Params } from "../contract/examples.ts";
import { fill } from "../contract/fill.ts";
import type { World } from "../support/world.ts";

/** All pages of a workspace, from the router, with what they show. */

export type EveryPage = {
  /** As the router has it. */
  pattern: string;
  /** Makes the objects that the path names, and returns the path. */
  open: (here: World) => Promise<string>;
  /** Adds as many rows to each list that the page shows. */
  grow: (here: World, rows: number) => Promise<void>;
};

/** What a path names beyond the project: the operation whose example makes it, and its parameters by the page's names. */
type Made = [operation: string, names: Record<string, string>];
const BY_ID = (operation: string, name = "id", param = "id"): Made => [operation, { [name]: param }];

const MADE: Record<string, Made> = {
  "/agents/sessions/:id": BY_ID("agent-sessions.get"),
  "/agents/:id": BY_ID("agents.get"),
  "/p/:project/sprints/:sprint": BY_ID("sprints.get", "sprint"),
  "/p/:project/forms/:id": BY_ID("forms.get"),
  "/p/:project/:issue": BY_ID("issues.get", "issue", "issueKey"),
  "/docs/:id/history/:versionId": ["doc-versions.get", { id: "id", versionId: "versionId" }],
  "/docs/:id": BY_ID("docs.get"),
  "/chat/:channelId": BY_ID("chat-channels.get", "channelId", "channelId"),
  "/goals/:goalId/key-results/:id": ["key-results.patch", { goalId: "goalId", id: "id" }],
  "/goals/:goalId": BY_ID("goals.get", "goalId"),
  "/portfolios/:portfolioId": BY_ID("portfolios.get", "portfolioId", "portfolioId"),
  "/billing/purchases/:id": BY_ID("purchases.get"),
  "/developer/keys/:id": BY_ID("api-keys.get"),
  "/automations/:id": BY_ID("automations.get"),
  "/workflows/:id": BY_ID("workflow-runs.list"),
  "/workflow-runs/:id": BY_ID("workflow-runs.get"),
  "/webhooks/:id/:deliveryId": ["webhooks.deliveries.get", { id: "id", deliveryId: "deliveryId" }],
  "/webhooks/:id": BY_ID("webhooks.get"),
};

/** Values of parameters that name no object. */
const WORDS: Params = { report: "burndown", format: "md" };

/** The operations whose lists a page shows. Their rows are made as their examples say. */
const SHOWN: Record<string, string[]> = {
  "": ["issues.list", "notifications.list", "agent-sessions.list", "projects.list"],
  "/inbox": ["notifications.list"],
  "/agents": ["agents.list", "agent-sessions.list"],
  "/members": ["members.list", "invites.list"],
  "/projects": ["projects.list"],
  "/p/:project": ["issues.list", "labels.list", "sprints.list", "members.list"],
  "/p/:project/list": ["issues.list", "labels.list", "saved-views.list"],
  "/p/:project/backlog": ["issues.list", "sprints.list"],
  "/p/:project/sprints": ["sprints.list"],
  "/p/:project/milestones": ["milestones.list"],
  "/p/:project/releases": ["releases.list"],
  "/p/:project/settings": ["labels.list", "custom-field-defs.list", "project-members.list"],
  "/p/:project/forms": ["forms.list"],
  "/p/:project/forms/:id": ["forms.submissions"],
  "/p/:project/:issue": ["comments.list", "issues.activity", "links.list", "attachments.list", "watchers.list"],
  "/docs": ["docs.list"],
  "/docs/:id": ["doc-comments.list", "doc-versions.list"],
  "/chat": ["chat-channels.list"],
  "/chat/:channelId": ["chat-messages.list", "chat-members.list"],
  "/goals": ["goals.list", "portfolios.list"],
  "/portfolios/:portfolioId": ["portfolio-projects.list"],
  "/developer": ["api-keys.list"],
  "/automations": ["automations.list"],
  "/automations/:id": ["automations.runs"],
  "/workflows": ["workflows.list"],
  "/workflows/:id": ["workflow-runs.list"],
  "/audit": ["audit-log.list"],
  "/webhooks": ["webhooks.list"],
  "/webhooks/:id": ["webhooks.deliveries"],
};

/** What answers GET below a workspace, but is no page. */
const NO_PAGES = [
  "/live",
  "/p",
  "/*rest",
  "/docs/:id/export/:format",
  "/goals/:goalId/picture.svg",
  "/p/:project/:issue/files/:file",
];

const PREFIX = "/w/:slug";

export function everyPage(): EveryPage[] {
  const router = new Router();
  const runtime = { settings: { baseUrl: "https://muster.test" } } as never;
  peoplePages(router, runtime, operations, {} as never);
  const patterns = router.stack.filter(({ methods }) => methods.includes("GET")).map(({ path }) => String(path));
  return patterns
    .filter((pattern) => pattern.startsWith(PREFIX) && !pattern.endsWith(".svg"))
    .filter((pattern) => !NO_PAGES.includes(pattern.slice(PREFIX.length)))
    .map(pageOf);
}

/** How many rows of each list a world has got. Names must differ. */
const made = new WeakMap<World, Map<string, number>>();

function pageOf(pattern: string): EveryPage {
  const below = pattern.slice(PREFIX.length);
  const named = Object.entries(MADE).find(([path]) => below === path || below.startsWith(`${path}/`));
  const params = new WeakMap<World, Params>();
  return {
    pattern,
    async open(here) {
      const [id, names] = named?.[1] ?? [null, {}];
      const own = id === null ? {} : ((await exampleOf(operationOf(id)).params?.(here)) ?? {});
      params.set(here, own);
      const values: Params = { slug: here.workspace.slug, project: here.project.key.toLowerCase(), ...WORDS };
      for (const [name, param] of Object.entries(names)) values[name] = own[param] ?? missing(param, id);
      return pattern.replaceAll(/:(\w+)/g, (_, name: string) => {
        if (!(name in values)) throw new Error(`test/pages/every-page.ts must say what ${name} of ${pattern} is.`);
        return values[name]!;
      });
    },
    async grow(here, rows) {
      for (const id of SHOWN[below] ?? []) {
        const operation = operationOf(id);
        const from = made.get(here)?.get(id) ?? 0;
        await fill(
          operation,
          here,
          params.get(here) ?? {},
          from,
          Math.min(from + rows, exampleOf(operation).most ?? 100),
        );
        made.set(here, (made.get(here) ?? new Map()).set(id, from + rows));
      }
    },
  };
}

function missing(param: string, id: string | null): never {
  throw new Error(`The example of ${id} has no ${param}.`);
}

function operationOf(id: string) {
  const found = operations.find((operation) => operation.id === id);
  if (!found) throw new Error(`There is no operation ${id}.`);
  return found;
}
