import { isClosed } from "../../../domain/kernel/categories.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { priorityMark, statusBadge, typeMark } from "../kit/issues.ts";
import { badge, crumbs } from "../kit/pieces.ts";
import { due } from "../kit/times.ts";
import { words } from "../kit/words.ts";
import { writtenAll } from "../kit/written.ts";
import { isEditorOf, pathOf } from "../project/head.ts";
import { notice } from "../site/layout.ts";
import { type PageAnswer, problemBox, type Site, type WorkspaceCall } from "../site/site.ts";
import { attachmentsPart, imageOrigins } from "./attachments.ts";
import { type Editing, editLink, readEditing } from "./change.ts";
import { commentsPart } from "./comments.ts";
import { commitsPart } from "./commits.ts";
import { factsPart } from "./facts.ts";
import { historyPart } from "./history.ts";
import { readShown, type Shown } from "./read.ts";
import { childrenPart, linksPart } from "./related.ts";
import { endedSessions, openSessions } from "./sessions.ts";
import { textOf, textsOf } from "./texts.ts";
import { timePart } from "./time.ts";
import { workflowPart } from "./workflow.ts";

/** The page of an issue: what it is about, its facts beside it, and what was said and done below. */

export type About = Shown & {
  call: WorkspaceCall;
  /** Path of this page, and of the project's pages. */
  base: string;
  projectBase: string;
  /** Whether the person may change it, as far as their roles say it. */
  mayWrite: boolean;
  /** Whether the person may write comments, as far as their roles say it. */
  mayTalk: boolean;
  /** What was wrong with the form that was sent. */
  refusal: Refusal | undefined;
  /** The texts of the page as HTML, by their Markdown. */
  texts: ReadonlyMap<string, Html>;
  /** The form that is open. */
  editing: Editing | null;
};

type After = { refusal?: Refusal | undefined /** Somebody else changed what the form shows. */; conflict?: boolean };

export async function show(site: Site, call: WorkspaceCall, after: After = {}): Promise<PageAnswer> {
  const { refusal, conflict = false } = after;
  const shown = await readShown(site, call);
  const { issue, project } = shown;
  const projectBase = pathOf(call);
  const isLive = issue.archived_at === null && project.archived_at === null;
  const mayWrite = isLive && isEditorOf(call, project);
  const about: About = {
    ...shown,
    call,
    projectBase,
    base: `${projectBase}/${issue.key}`,
    mayWrite,
    mayTalk: mayWrite,
    refusal,
    texts: await writtenAll(call.here, textsOf(shown), project),
    editing: mayWrite ? await readEditing(site, call, shown, conflict) : null,
  };
  return {
    title: `${issue.key} ${issue.title}`,
    status: conflict ? 409 : (refusal?.status ?? 200),
    wide: true,
    seen: { issue_id: issue.id },
    live: { project: project.id, issues: [issue.id, ...shown.children.data.slice(0, 30).map(({ id }) => id)] },
    images: imageOrigins(shown.attachments, call.here.settings.baseUrl),
    body: html`${head(about)}${refusal ? problemBox(refusal) : ""}
      <div class="beside"><div class="about">${openSessions(about)}${description(about)}${parts(about)}</div>
      <aside id="facts" aria-label="Facts">${factsPart(about)}</aside>
      <div class="talk">${commentsPart(about)}</div>
      <div class="past">${historyPart(about)}</div></div>`,
  };
}

/** What the issue has, and then the ways to what it does not have yet. */
function parts(about: About): Html {
  const { issue, links, attachments, run, workflows, time } = about;
  const hasTime = time.spent_minutes !== null || time.entries.length > 0 || time.children_spent_minutes > 0;
  const all: [has: boolean, part: Html | string][] = [
    [issue.children.total > 0, childrenPart(about)],
    [links.length > 0, linksPart(about)],
    [attachments.length > 0, attachmentsPart(about)],
    [run !== null || workflows.length > 0, workflowPart(about)],
    [hasTime, timePart(about)],
    [true, commitsPart(about)],
    [true, endedSessions(about)],
  ];
  const those = (wanted: boolean) => all.filter(([has]) => has === wanted).map(([, part]) => part);
  return html`${those(true)}<div class="further">${those(false)}</div>`;
}

function head(about: About): Html {
  const { call, project, issue, projectBase, editing } = about;
  const slug = call.here.workspace.slug;
  return html`${crumbs([`/w/${slug}/projects`, "Projects"], [projectBase, project.name])}
    <p class="issue-head">${typeMark(issue.type)} <span class="quiet">${words(issue.type)} ${issue.key}</span>
      ${statusBadge(issue)} ${priorityMark(issue.priority)}
      ${issue.is_blocked ? badge("Blocked", "bad") : ""}${issue.active_session_ids.length > 0 ? badge("Agent at work", "good") : ""}
      ${issue.due_at === null ? "" : due(issue.due_on ?? issue.due_at, call.here.now, isClosed(issue.status))} <a class="to-facts" href="#facts">All facts</a></p>
    <div class="titled" id="fact-title"><h1 dir="auto">${issue.title}</h1>${editLink(about, "title", "Title")}</div>
    ${editing?.name === "title" ? editing.form(issue.title) : ""}
    ${issue.archived_at === null ? "" : notice("info", archivedInWords(issue))}
    ${project.archived_at === null ? "" : notice("info", "The project is archived. The issue can be read, but not changed.")}`;
}

const archivedInWords = ({ archived_reason: reason }: Shown["issue"]): string =>
  `This issue is archived${reason === "status_deleted" ? ", because its column was deleted" : ""}. It can be read, and restored for 30 days.`;

function description(about: About): Html {
  const { issue, editing } = about;
  const text = issue.description_md ? textOf(about, issue.description_md) : html`<p class="quiet">No description.</p>`;
  return html`<section id="fact-description" class="titled" aria-labelledby="description-title"><h2 class="out" id="description-title">Description</h2>
    ${editing?.name === "description" ? editing.form(text) : html`${text}${editLink(about, "description", "Description")}`}</section>`;
}
