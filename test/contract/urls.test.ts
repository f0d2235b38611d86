import { expect, test } from "vitest";
import type { z } from "zod";
import { operations } from "../../src/api/operations/index.ts";
import { browser } from "../support/browser.ts";
import { servePublicly } from "../support/oauth.ts";
import { world } from "../support/world.ts";

/** The `url` of every object that the API returns opens a page. */

await servePublicly();

/** Views with a `url` that is no page of ours. */
const ELSEWHERE: Record<string, string> = {
  Webhook: "the address of the receiver",
  WebhookWithSecret: "the address of the receiver",
  CommitRef: "a page of the host of the code",
  Attachment: "the file itself",
  UploadIntent: "where the file is sent",
  CardSetup: "a page of the card processor",
};

/** Views whose pages the test opens. */
const OPENED = ["Workspace", "Project", "Issue", "Doc", "Notification", "SearchResult"];

const nameOf = (view: z.ZodType): string => String(view.meta()?.id ?? "");

test("every view with a url is opened here, or leads elsewhere for a reason", () => {
  const views = operations
    .map(({ returns }) => returns as z.ZodType & { shape?: Record<string, unknown> })
    .filter((view) => view?.shape && "url" in view.shape);
  const unknown = [...new Set(views.map(nameOf))].filter(
    (name) => !(name in ELSEWHERE) && !OPENED.some((opened) => name.startsWith(opened)),
  );
  expect(unknown).toEqual([]);
});

test("the urls of the API's replies open for the person who got them", async () => {
  const here = await world();
  const visitor = await browser(here.app, here.owner.userId);
  await here.owner.post("P/issues", { title: "One" }).expect(201);
  await here.owner.post("W/docs", { title: "One page" }).expect(201);
  const found: string[] = [];
  for (const path of ["W", "W/projects", "P/issues", "W/docs", "W/notifications", "W/search?q=one"]) {
    const { data } = (await here.owner.get(path)).body;
    found.push(...[data].flat().flatMap(({ url }: { url?: string | null }) => url ?? []));
  }
  expect(found.length).toBeGreaterThan(3);
  const closed: string[] = [];
  for (const url of new Set(found)) {
    const { status } = await visitor.get(new URL(url).pathname);
    if (status !== 200) closed.push(`${status} ${new URL(url).pathname}`);
  }
  expect(closed).toEqual([]);
});
