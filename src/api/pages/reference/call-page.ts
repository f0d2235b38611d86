import { type Html, html } from "../../../domain/kernel/html.ts";
import { type Call, type Description, type Media, parametersOf, resolved } from "./description.ts";
import { fieldList, hasFields, typeOf } from "./fields.ts";
import { blockMarkdown, inlineMarkdown } from "./markdown.ts";
import { snippetsOf } from "./snippets.ts";

/** The page of one operation: what it does, what it takes, what it replies, and how it is called. */
export function callPage(api: Description, call: Call): Html {
  const [tag] = call.tags;
  return html`<p class="quiet"><a href="/docs">API reference</a> › <a href="/docs#${tag}">${tag}</a></p>
<h1>${call.summary}</h1>
<p><code>${call.method} ${call.path}</code>${call.deprecated ? html` <span class="badge">deprecated</span>` : ""}</p>
${blockMarkdown(call.description ?? "")}
${section(
  "call",
  "How to call it",
  snippetsOf(api, call).map(
    ({ language, code }, index) =>
      html`<details name="snippet"${index === 0 ? html` open` : ""}><summary>${language}</summary>${sample(code, language)}</details>`,
  ),
)}
${parameters(api, call)}
${body(api, call)}
${replies(api, call)}`;
}

/** The page of an event: what a webhook receives. */
export function eventPage(api: Description, name: string): Html {
  const { summary, description = "", requestBody } = api.webhooks[name]!.post;
  const media = requestBody!.content["application/json"]!;
  return html`<p class="quiet"><a href="/docs">API reference</a> › <a href="/docs#events">events</a></p>
<h1>${summary}</h1>
<p><code>${name}</code></p>
${blockMarkdown(description)}
${section("body", "Message", mediaOf(api, media))}`;
}

const section = (id: string, title: string, content: Html | readonly Html[]): Html =>
  html`<section class="card" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${content}</section>`;

const sample = (code: string, label: string): Html =>
  html`<pre class="sample" tabindex="0" role="region" aria-label="${label}"><code>${code}</code></pre>`;

function parameters(api: Description, call: Call): Html {
  const rows = parametersOf(api, call).map(
    ({ name, in: place, required, description = "", schema }) =>
      html`<li><code>${name}</code> <span class="quiet">${place}, ${typeOf(api, schema)}</span>${
        required ? html` <span class="badge">required</span>` : ""
      } ${inlineMarkdown(description)}</li>`,
  );
  return rows.length > 0 ? section("parameters", "Parameters", html`<ul class="fields">${rows}</ul>`) : html``;
}

function body(api: Description, { requestBody }: Call): Html {
  const media = requestBody?.content["application/json"];
  return media ? section("body", "Body", mediaOf(api, media)) : html``;
}

function mediaOf(api: Description, { schema, example }: Media): Html {
  const shown = example === undefined ? "" : sample(JSON.stringify(example, null, 2), "Example");
  return html`${hasFields(api, schema) ? fieldList(api, schema) : html`<p>${typeOf(api, schema)}</p>`}
${shown ? html`<details><summary>Example</summary>${shown}</details>` : ""}`;
}

function replies(api: Description, { responses }: Call): Html {
  const rows = Object.entries(responses).map(([status, reply]) => {
    const { description, content = {} } = resolved<{ description: string; content?: Record<string, Media> }>(
      api,
      reply,
    );
    const isSuccess = status.startsWith("2");
    const medias = Object.entries(content).map(
      ([type, media]) => html`<h3><code>${type}</code></h3>${mediaOf(api, media)}`,
    );
    return html`<details${isSuccess ? html` open` : ""}><summary>HTTP ${status}</summary>
${blockMarkdown(description)}${isSuccess ? medias : ""}</details>`;
  });
  return section("replies", "Replies", [
    ...rows,
    html`<p><a href="/problems">All errors</a> have a page with their cause and what to do.</p>`,
  ]);
}
