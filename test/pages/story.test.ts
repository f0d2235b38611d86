import { afterAll, beforeAll, test } from "vitest";
import { startWorker } from "../../src/start-worker.ts";
import { app } from "../support/app.ts";
import { noBrowser } from "../support/browser-path.ts";
import { startMailbox } from "../support/mailbox.ts";
import { servePublicly } from "../support/oauth.ts";
import { WAYS } from "./story/hands.ts";
import { tell } from "./story/steps.ts";

/**
 * The story of all pages, in a browser: a person signs up, plans a sprint, and lets an agent work. It is told four times: with all that
 * there is, without scripts, without a mouse, and without room.
 */

await servePublicly();
const mailbox = await startMailbox();

let worker: { stop(): Promise<unknown> } | undefined;
beforeAll(async () => {
  worker = await startWorker((await app()).config);
});
afterAll(() => worker?.stop());

test.skipIf(noBrowser).each(Object.entries(WAYS))(
  `a person steers an agent %s${noBrowser}`,
  { timeout: 180_000 },
  async (name, way) => {
    const { baseUrl } = await app();
    await tell({ baseUrl, mailbox, name, way });
  },
);
