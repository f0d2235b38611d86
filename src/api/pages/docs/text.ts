import { type Html, html } from "../../../domain/kernel/html.ts";
import { DocumentTooComplex, RendererBusy } from "../../../domain/kernel/ports/document-renderer.ts";
import type { DocView } from "../../../domain/knowledge/docs/view.ts";
import { levelsBelow } from "../kit/levels.ts";
import { fold } from "../kit/pieces.ts";
import { raw } from "../kit/written.ts";
import { notice } from "../site/layout.ts";
import type { WorkspaceCall } from "../site/site.ts";

/** The text of a doc. It is rendered as for its export, because only that is made for texts of half a million characters. */

export type Text = Pick<DocView, "title" | "body_md" | "updated_at">;

export async function textPart({ here }: WorkspaceCall, { title, body_md, updated_at }: Text): Promise<Html> {
  const markdown = body_md ?? "";
  if (markdown.trim() === "") return html`<p class="quiet">Nothing is written here yet.</p>`;
  const { ports, settings, workspace } = here;
  const workspaceUrl = `${settings.baseUrl}/w/${workspace.slug}`;
  const document = { title, markdown, language: null, changedAt: updated_at, workspaceUrl } as const;
  try {
    const part = await ports.documentRenderer.render({ ...document, format: "html", as: "part" }, workspace.id);
    const { text, headings } = headed(part.toString());
    return html`${contents(headings)}<div class="prose">${raw(text)}</div>`;
  } catch (error) {
    if (!(error instanceof RendererBusy || error instanceof DocumentTooComplex)) throw error;
    return html`${notice("info", "This is the text as it was written. It cannot be shown formatted right now.")}
      <pre class="sample message" tabindex="0">${markdown}</pre>`;
  }
}

type Heading = { id: string; text: string; level: number };

/** The headings of a text as those below the title of the page, without leaving out a level. */
function headed(sanitised: string): { text: string; headings: Heading[] } {
  const headings: Heading[] = [];
  const levelOf = levelsBelow(2);
  let last = 2;
  let begin = 0;
  let id: string | undefined;
  const text = sanitised.replaceAll(
    /<(\/?)h([1-6])([^<>]*)>/g,
    (tag, end: string, level: string, attributes: string, at: number) => {
      if (end === "") {
        last = levelOf(Number(level));
        begin = at + tag.length;
        id = ID.exec(attributes)?.[1];
      } else if (id !== undefined) {
        headings.push({ id, text: sanitised.slice(begin, at).replaceAll(/<[^<>]*>/g, ""), level: last });
      }
      return `<${end}h${last}${attributes}>`;
    },
  );
  return { text: adapted(text), headings };
}

/** Boxes that nobody can tick are signs, and code that is too wide scrolls by keyboard. */
const adapted = (text: string): string =>
  text
    .replaceAll("<pre ", '<pre tabindex="0" ')
    .replaceAll('<div class="table" tabindex="0">', '<div class="table" tabindex="0" role="region" aria-label="Table">')
    .replaceAll(/<input type="checkbox" disabled( checked)?[^<>]*>/g, (_, done) => (done ? "☑" : "☐"));

const ID = /^(?: dir="auto")? id="([^"]*)"/;

/** Fewer headings are seen at a glance. */
const MIN_HEADINGS = 4;
const MAX_HEADINGS = 200;

function contents(headings: readonly Heading[]): Html {
  const shown = headings.filter(({ level }) => level <= 3).slice(0, MAX_HEADINGS);
  if (shown.length < MIN_HEADINGS) return html``;
  return fold(
    "Contents",
    html`<nav aria-label="Contents"><ul class="contents">${shown.map(
      ({ id, text, level }) =>
        html`<li${level === 3 ? html` class="below"` : ""}><a href="#${raw(id)}">${raw(text)}</a></li>`,
    )}</ul></nav>`,
  );
}
