import { test } from "vitest";
import { browser } from "../support/browser.ts";
import { expectShortTurns, startWatched } from "../support/loop.ts";
import { servePublicly } from "../support/oauth.ts";
import { world } from "../support/world.ts";

/** Pages of very long texts do not hold up the other requests of their process. */

await servePublicly({ RATE_LIMIT_PER_MINUTE: "1000000" });

/** An ordinary long text. */
const long = Array.from(
  { length: 190 },
  (_, n) => `Some **bold** words, and a [link](https://a.test/${n}), said #WEB-1 in \`code\`.\n\n- one\n`,
)
  .join("")
  .slice(0, 19_500);

test("pages of long texts take short turns", { timeout: 120_000 }, async () => {
  const here = await world();
  const text = long;
  await here.owner.post("P/issues", { title: "Long", description_md: text }).expect(201);
  const items = Array.from({ length: 50 }, () => ({ body_md: text }));
  await here.owner.post("P/issues/WEB-1/comments/bulk", { items }).expect(201);
  // Each of these signs is four characters of HTML.
  await here.owner.post("P/issues", { title: "Signs", description_md: "<".repeat(60_000) }).expect(201);
  const signs = Array.from({ length: 15 }, () => ({ body_md: "<".repeat(60_000) }));
  for (const _ of [1, 2]) await here.owner.post("P/issues/WEB-2/comments/bulk", { items: signs }).expect(201);
  const { data: doc } = await here.owner.post("W/docs", { title: "Long", body_md: long.repeat(20) }).expect(201);
  const { data: room } = await here.owner.post("W/chat/channels", { name: "general" }).expect(201);
  for (let n = 0; n < 50; n++)
    await here.owner.post(`W/chat/channels/${room.id}/messages`, { body_md: text }).expect(201);
  const visitor = await browser(here.app, here.owner.userId);
  const cookie = [...visitor.cookies].map((pair) => pair.join("=")).join("; ");
  const web = await startWatched(here.app.config);
  const base = `${web.url}/w/${here.workspace.slug}`;
  for (const path of ["/p/web/WEB-1", "/p/web/WEB-2", `/docs/${doc.id}`, `/chat/${room.id}`, "/p/web", ""]) {
    const get = async () => void (await (await fetch(base + path, { headers: { cookie } })).text());
    await expectShortTurns(web, path, get);
  }
  await web.kill();
});
