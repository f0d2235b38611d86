import { ERRORS } from "../../domain/error-catalogue.ts";
import type { ErrorDefinition } from "../../domain/kernel/define-errors.ts";
import { type Html, html } from "../../domain/kernel/html.ts";
import type { Operation } from "../engine/operation.ts";
import { codesOf } from "../openapi/codes.ts";
import { exampleOf } from "./problem-examples.ts";

/** What the pages about errors say, for people (HTML) and for programs (Markdown and JSON). */

export type Explained = ErrorDefinition & {
  example: string;
  /** Calls that may be refused with it. Empty if most calls may be, or none that is listed. */
  calls: string[];
};

/** With more calls than this, a list of them says nothing. */
const MOST_CALLS = 20;

/** Every code with its example and calls. */
export function explained(operations: readonly Operation[], baseUrl: string): ReadonlyMap<string, Explained> {
  const calls = callsByCode(operations);
  return new Map(
    ERRORS.map((error) => {
      const found = calls.get(error.code) ?? [];
      const listed = found.length <= MOST_CALLS ? found : [];
      return [error.code, { ...error, example: exampleOf(error.code, baseUrl), calls: listed }];
    }),
  );
}

function callsByCode(operations: readonly Operation[]): Map<string, Explained["calls"]> {
  const calls = new Map<string, Explained["calls"]>();
  const statuses = new Set(ERRORS.map(({ status }) => status));
  for (const operation of operations) {
    const { method, path } = operation;
    for (const code of [...statuses].flatMap((status) => codesOf(operation, status))) {
      calls.set(code, [...(calls.get(code) ?? []), `${method} ${path}`]);
    }
  }
  return calls;
}

export const asJson = ({ code, status, title, cause, fix, example, calls }: Explained, baseUrl: string) => ({
  type: `${baseUrl}/problems/${code}`,
  code,
  status,
  title,
  cause,
  fix,
  example: JSON.parse(example.slice(example.indexOf("\n\n"))),
  calls,
});

export const asMarkdown = ({ code, status, title, cause, fix, example, calls }: Explained, baseUrl: string): string =>
  `# ${title} (HTTP ${status})

Code: \`${code}\`

## Cause

${cause}

## What to do

${fix}

## Example

\`\`\`http
${example}
\`\`\`
${calls.length > 0 ? `\n## Calls that may return it\n\n${calls.map((call) => `- \`${call}\``).join("\n")}\n` : ""}
[All errors](${baseUrl}/problems)
`;

export const asPage = ({ code, status, title, cause, fix, example, calls }: Explained): Html => html`
<p class="quiet"><a href="/problems">All errors</a></p>
<h1>${title}</h1>
<p><code>${code}</code> <span class="badge">HTTP ${status}</span></p>
<section class="card" aria-labelledby="cause"><h2 id="cause">Cause</h2><p>${cause}</p>
<h2>What to do</h2><p>${fix}</p></section>
<section class="card" aria-labelledby="example"><h2 id="example">Example</h2>
<pre class="sample" tabindex="0" role="region" aria-label="A reply with this error"><code>${example}</code></pre></section>
${
  calls.length > 0
    ? html`<section class="card" aria-labelledby="calls"><h2 id="calls">Calls that may return it</h2>
<ul>${calls.map((call) => html`<li><code>${call}</code></li>`)}</ul></section>`
    : ""
}`;

export const listAsMarkdown = (all: Iterable<Explained>, baseUrl: string): string => `# Errors

Every refused call has a JSON body (RFC 9457) with one of these codes in \`code\`.

${[...all].map(({ code, status, cause }) => `- [\`${code}\`](${baseUrl}/problems/${code}) (${status}): ${cause}`).join("\n")}
`;

export function listAsPage(all: Iterable<Explained>): Html {
  const byStatus = Map.groupBy(all, ({ status }) => status);
  const groups = [...byStatus].sort(([one], [other]) => one - other);
  const row = ({
    code,
    title,
  }: Explained) => html`<tr><td data-label="Code"><a href="/problems/${code}"><code>${code}</code></a></td>
    <td data-label="Meaning">${title}</td></tr>`;
  return html`<h1>Errors</h1>
<p>Every refused call has a JSON body (<a href="https://www.rfc-editor.org/rfc/rfc9457">RFC 9457</a>) with one of these
  codes in <code>code</code>. Its <code>type</code> is the address of the code's page.</p>
${groups.map(
  ([status, errors]) => html`<section class="card" aria-labelledby="status-${status}">
  <h2 id="status-${status}">HTTP ${status}</h2>
  <table class="stack"><thead><tr><th>Code</th><th>Meaning</th></tr></thead><tbody>${errors.map(row)}</tbody></table></section>`,
)}`;
}
