import { html } from "../../../domain/kernel/html.ts";
import { readDigestOf, unsubscribe } from "../../../domain/knowledge/digests/setting.ts";
import { notice } from "../site/layout.ts";
import type { PageAnswer, PageCall, Site } from "../site/site.ts";

/**
 * The page that ends a person's digests, reached from a digest. Opening it changes nothing, because programs open the
 * links of mails. One POST to the same address does (RFC 8058): mail programs send it in any format, without a session.
 */
export function unsubscribePage(site: Site): void {
  site.open("get", "/unsubscribe", async (call) => show(call));
  site.open(
    "post",
    "/unsubscribe",
    async (call) => {
      const known = await site.begin(call.ctx, (ctx) => unsubscribe(ctx, call.query("token")));
      return known ? over(notice("good", "You get no more mails with your notifications.")) : missing;
    },
    { ignoresForm: true },
  );
}

async function show({ ctx, query }: PageCall): Promise<PageAnswer> {
  const token = query("token");
  const choice = await readDigestOf(ctx, token);
  if (choice === null) return missing;
  if (choice === "off") return over(notice("good", "You get no mails with your notifications."));
  const body = html`<div class="question"><h1>Stop these mails?</h1>
    <p>You get a mail with your unread notifications ${choice === "hourly" ? "every hour" : "every day"}.</p>
    <form method="post" action="/unsubscribe?token=${encodeURIComponent(token)}">
      <button class="wide">Stop these mails</button></form></div>`;
  return { title: "Stop these mails", body };
}

const over = (done: ReturnType<typeof notice>): PageAnswer => ({
  title: "No more mails",
  body: html`<div class="question"><h1>No more mails</h1>${done}
    <p>You can turn them on again on <a href="/account">your account page</a>.</p></div>`,
});

const missing: PageAnswer = {
  title: "No such link",
  status: 404,
  body: html`<div class="question"><h1>No such link</h1>
    <p>Part of the link may be missing, or the mail is old. Open it again from the mail, or change the setting on
      <a href="/account">your account page</a>.</p></div>`,
};
