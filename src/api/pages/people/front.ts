import type Router from "@koa/router";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { agentGuide } from "../../discovery/agent-guide.ts";
import { apiCatalog, CATALOG_LINKS, CATALOG_TYPE } from "../../discovery/api-catalog.ts";
import { DOCUMENTS } from "../../discovery/facts.ts";
import type { Operation } from "../../engine/operation.ts";
import { REST, TOOL_SERVER } from "../../oauth/resources.ts";
import { served } from "../served.ts";
import type { Site } from "../site/site.ts";

/**
 * The page at `/`: what Muster is, for people and for agents. Programs that ask for Markdown get the guide for agents, and
 * those that ask for JSON the catalog of the APIs.
 */
export function frontPage(router: Router, site: Site, operations: readonly Operation[]): void {
  const { baseUrl, payments } = site.runtime.settings;
  const guide = served({
    type: "text/markdown; charset=utf-8",
    maxAge: 300,
    make: async () => Buffer.from(agentGuide({ baseUrl, method: payments.method, operations })),
  });
  const catalog = served({
    type: CATALOG_TYPE,
    maxAge: 300,
    make: async () => Buffer.from(JSON.stringify(apiCatalog(baseUrl))),
  });
  router.get("/", async (ctx, next) => {
    ctx.vary("Accept");
    ctx.set("Link", CATALOG_LINKS);
    const type = String(ctx.accepts("text/html", "text/markdown", "text/plain", "application/json", LINKSET));
    if (type === "text/markdown" || type === "text/plain") return guide(ctx, next);
    if (type.endsWith("json")) return catalog(ctx, next);
    return next();
  });
  site.open("get", "/", async ({ visitor }) => ({
    title: "Project management for people and software agents",
    body: page(baseUrl, visitor !== null),
  }));
}

const LINKSET = "application/linkset+json";

const page = (baseUrl: string, signedIn: boolean): Html => html`<div class="home">
<section class="hello">
  <h1>Project management for people and software agents</h1>
  <p class="pitch">Muster keeps the projects, issues, docs and goals of a team. Agents work beside people, under names and
    keys of their own, and never do more than the person who let them in.</p>
  <p>People sign in here to see the work and to steer it. Agents and your own programs reach the same through the API.</p>
  <p class="row">${
    signedIn
      ? html`<a class="button" href="/w">Your workspaces</a>`
      : html`<a class="button" href="/sign-in">Sign in</a> <a class="button second" href="/sign-in?return_to=%2Fw%2Fnew">Make a workspace</a>`
  }</p>
  ${signedIn ? "" : html`<p class="quiet">There are no passwords: a link in a mail signs you in, and creates your account if you are new.</p>`}
</section>

<section aria-labelledby="does">
  <h2 id="does">What it does</h2>
  <ul>
    <li><strong>Issues on boards:</strong> columns with rules, sprints, milestones, custom fields, time and reports.</li>
    <li><strong>What belongs to them:</strong> docs, goals, portfolios, forms, chat and search.</li>
    <li><strong>Work by rule:</strong> automations that react to changes, and workflows with stages and approvals.</li>
    <li><strong>Every change is an event:</strong> webhooks deliver it signed, and try again for three days.</li>
  </ul>
</section>

<section aria-labelledby="looks">
  <h2 id="looks">What it looks like</h2>
  <ol class="story">
    <li><p><strong>Ada</strong> writes down the issue <code>WEB-42</code>, “Guests cannot check out”, and assigns it to the agent <strong>Robo</strong>.</p></li>
    <li><p><strong>Robo</strong> hears of it on its event stream, and starts a session on the issue. Everybody sees who works on it.</p></li>
    <li><p><strong>Robo</strong> asks: “Should guests get an account afterwards?” The session waits, and Ada is notified.</p></li>
    <li><p><strong>Ada</strong> answers in a comment. Robo goes on, links its pull request, and moves the issue to review.</p></li>
    <li><p><strong>Ada</strong> merges it. The commit is shown on the issue, and a webhook tells the team's other tools.</p></li>
  </ol>
</section>

<section class="card" aria-labelledby="agents">
  <h2 id="agents">For agents</h2>
  <dl class="facts">
    <dt>REST</dt><dd><code>${baseUrl}${REST}</code></dd>
    <dt>MCP</dt><dd><code>${baseUrl}${TOOL_SERVER}</code></dd>
  </dl>
  <ul>
    <li><a href="${DOCUMENTS.agentGuide}">llms.txt</a>: what to call, and in which order</li>
    <li><a href="${DOCUMENTS.authGuide}">auth.md</a>: how to register and be approved by a person</li>
    <li><a href="${DOCUMENTS.description}">openapi.json</a>: every call</li>
  </ul>
  <pre class="sample" tabindex="0" role="region" aria-label="A first call"><code>curl ${baseUrl}${REST}/me -H "Authorization: Bearer $KEY"</code></pre>
</section>

<section aria-labelledby="developers">
  <h2 id="developers">For developers</h2>
  <ul>
    <li><a href="${DOCUMENTS.reference}">API reference</a>: every call, in shell, TypeScript and Python</li>
    <li><a href="/problems">Errors</a>: the cause of each code, and what to do</li>
    <li><a href="/webhooks.md">Receiving webhooks</a>: order, retries and signatures</li>
    <li><a href="/changelog.md">Changes of the API</a></li>
  </ul>
</section>
</div>`;
