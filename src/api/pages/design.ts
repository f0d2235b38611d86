import type Router from "@koa/router";
import type { IssueType, Priority } from "../../domain/access/identity/issue-row.ts";
import { ISSUE_TYPES, PRIORITIES } from "../../domain/access/identity/issue-row.ts";
import { CATEGORIES } from "../../domain/kernel/categories.ts";
import { Refusal } from "../../domain/kernel/errors.ts";
import { type Html, html } from "../../domain/kernel/html.ts";
import { agentPieces } from "./design-agents.ts";
import { ADA, BOT, ISSUES, NOW } from "./design-examples.ts";
import { longAndMany, otherFields, refusedFields, talkAndTrees, unfolded } from "./design-states.ts";
import { chart } from "./kit/chart.ts";
import { code, codeArea } from "./kit/code.ts";
import { differences } from "./kit/differences.ts";
import { editForm } from "./kit/edit.ts";
import { choices, radios, select, textArea, textField, tick } from "./kit/fields.ts";
import { issueCard, issueLine, priorityMark, statusBadge, typeMark } from "./kit/issues.ts";
import { besideOf, orderForm } from "./kit/order.ts";
import { avatar, person } from "./kit/people.ts";
import { picture } from "./kit/pictures.ts";
import {
  act,
  badge,
  chips,
  colored,
  crumbs,
  empty,
  facts,
  fold,
  pager,
  percentBar,
  progress,
  tabs,
  ways,
} from "./kit/pieces.ts";
import { table } from "./kit/tables.ts";
import { ago, due } from "./kit/times.ts";
import { raw } from "./kit/written.ts";
import { askFirst } from "./site/confirm.ts";
import { layout, notice } from "./site/layout.ts";
import { secure } from "./site/secure.ts";
import { problemBox } from "./site/site.ts";

/** `/dev/design`, in development only: every piece of the pages in all its states. */
export function designPage(router: Router): void {
  router.get("/dev/design", (request) => {
    request.state.operation = "page /dev/design";
    secure(request);
    request.type = "text/html; charset=utf-8";
    const here = { slug: "acme", name: "Acme", role: "owner" } as const;
    request.body = layout({ title: "Design", visitor: null, here, path: "/w/acme/projects", wide: true, body: body() });
  });
}

const part = (name: string, rule: string, pieces: Html): Html =>
  html`<section class="card" aria-labelledby="${name}"><h2 id="${name}">${name.replaceAll("-", " ")}</h2><p class="quiet">${rule}</p>${pieces}</section>`;

const BARS = `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="560" height="160"><rect width="560" height="160" fill="#fff"/><path d="M40 140h480M80 140V60h60v80M200 140V30h60v110M320 140V90h60v50" fill="#1f5fbf" stroke="#525966"/></svg>').toString("base64")}`;
const SHOWN = { now: NOW, base: "/w/acme" };
const REFUSED = new Refusal("validation_failed", {
  errors: [{ path: "/title", message: "is required" }],
});

function body(): Html {
  return html`<h1>Design</h1>
    <p>Pages are calm: one accent, quiet lines, and colour only for what needs attention. A colour or a picture never says
      anything that a text does not say as well. Everything works without script, by keyboard, and at 320 px.</p>
    ${part(
      "Headlines-and-ways",
      "A page has one headline. Crumbs lead up, tabs lead sideways.",
      html`
      ${crumbs(["/w/acme/projects", "Projects"], ["/w/acme/p/web", "Web"])}
      ${tabs("Example", [
        { href: "#a", label: "Board", current: true },
        { href: "#b", label: "List" },
        { href: "#c", label: "Reports" },
      ])}
      <h2>A section</h2><h3>A part of it</h3>`,
    )}
    ${part(
      "Notices",
      "After a form: what happened. Warnings follow what was done anyway.",
      html`
      ${notice("good", "The sprint is started.")}${notice("info", "WEB-12 is blocked by WEB-7.")}${problemBox(REFUSED)}`,
    )}
    ${part(
      "Buttons",
      "One main action a form. What cannot be undone asks first.",
      html`<div class="row">
      <button>Save</button><button class="second">Cancel</button>${act("#", "Start the sprint")}
      ${askFirst({ ask: "Delete", action: "#", consequence: "The label leaves 12 issues.", confirm: "Delete the label “backend”" })}</div>`,
    )}
    ${part(
      "Tables-and-code",
      "A table becomes cards on a narrow screen. Code keeps its lines, and its problems stand beside it.",
      html`
      ${table(
        ["Webhook", "State", { name: "Messages", number: true }],
        [
          ["https://example.com/hooks", badge("Active", "good"), "1,204"],
          ["https://example.com/other", badge("Failing", "bad"), "7"],
        ],
      )}
      ${picture('<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><rect width="120" height="40" rx="8" fill="#0f766e"/></svg>', "A picture of a stage")}
      ${code("An example", '{\n  "type": "issue.created"\n}')}
      ${codeArea({ name: "graph", label: "Graph", value: "{}", rows: 3, prefix: "d-" }, problemBox(REFUSED))}`,
    )}
    ${part(
      "Agents-at-work",
      "A session says who works on what, how far it is, and what it waits for. What one person hears is a line, too.",
      agentPieces(SHOWN),
    )}
    ${part(
      "Fields",
      "A label above, a hint below, and what was wrong at the field itself.",
      html`
      ${textField({ name: "title", label: "Title", required: true, refusal: REFUSED, hint: "What is to be done, in a line.", prefix: "d-" })}
      ${textArea({ name: "description_md", label: "Description", rows: 3, prefix: "d-" })}
      ${select({ name: "priority", label: "Priority", value: "high", options: PRIORITIES.map((value) => ({ value, label: value })), prefix: "d-" })}
      ${tick({ name: "scoped", label: "Only its members see it", checked: true, hint: "Owners and admins see it, too.", prefix: "d-" })}
      ${radios({
        name: "template",
        label: "Columns",
        value: "simple",
        options: [
          { value: "simple", label: "Simple board", hint: "To do, Doing and Done." },
          { value: "software", label: "Software" },
        ],
        prefix: "d-",
      })}
      ${choices({
        name: "labels",
        label: "Labels",
        options: [
          { value: "1", label: "backend" },
          { value: "2", label: "frontend" },
        ],
        values: ["2"],
        prefix: "d-",
      })}`,
    )}
    ${part("Refused-fields", "The box above says everything, each field its own. The focus goes to the first one.", refusedFields())}
    ${part("Other-fields", "Days, numbers, files, long names, and what cannot be changed.", otherFields())}
    ${part("Long-and-many", "Names of any length, many labels, tabs and columns: they wrap, or scroll by themselves.", longAndMany())}
    ${part("Unfolded", "Forms that add something have a plus; what is lost for good asks first.", unfolded())}
    ${part("Talk-and-trees", "What people and agents said, what happened, and what is below what.", talkAndTrees())}
    ${part(
      "Marks",
      "Type, priority and column of an issue.",
      html`
      <p class="row">${ISSUE_TYPES.map((type: IssueType) => html`<span>${typeMark(type)} ${type}</span>`)}</p>
      <p class="row">${PRIORITIES.map((one: Priority) => html`<span>${priorityMark(one)} ${one}</span>`)}</p>
      <p class="row">${CATEGORIES.map((status) => statusBadge({ status, status_name: null }))}</p>
      <p class="row">${badge("Plain")}${badge("Good", "good")}${badge("Bad", "bad")}${badge("Warn", "warn")}${badge("Quiet", "quiet")}${colored("#7c3aed", "backend")}</p>`,
    )}
    ${part("People", "Agents are square, people are round.", html`<p class="row">${person(ADA)} ${person(BOT)} ${avatar(ADA, 40)}</p>`)}
    ${part(
      "Times",
      "In words; the exact time on pointing at it. Late is red, and says so.",
      html`<p class="row">
      ${ago("2026-11-23T11:59:30.000Z", NOW)} ${ago("2026-11-23T09:00:00.000Z", NOW)} ${ago("2026-11-20T09:00:00.000Z", NOW)}
      ${due("2026-12-01T00:00:00.000Z", NOW, false)} ${due("2026-11-01T00:00:00.000Z", NOW, false)}</p>`,
    )}
    ${part(
      "Two-texts",
      "Between two texts. Signs say what colours say.",
      html`${differences("We release on Tuesday.\n\nNobody releases on a Friday.", "We release on Monday.\n\nNobody releases on a Friday.\n\nAsk Ada.")}${differences("Same", "Same")}`,
    )}
    ${part("Progress", "", html`${percentBar(40, "Goal")}${percentBar(null, "Goal")}${progress(3, 8, "issues")}${progress(0, 0, "issues")}${progress(8, 8, "issues")}`)}
    ${part(
      "Issues",
      "A card on a board, a line in a list.",
      html`
      <ul class="column-cards">${ISSUES.map((issue) => issueCard(issue, SHOWN))}</ul>
      <ul class="lines">${ISSUES.map((issue) => issueLine(issue, SHOWN))}</ul>`,
    )}
    ${part(
      "Facts",
      "",
      facts([
        ["Reporter", person(ADA)],
        ["Estimate", "2 h"],
        ["Milestone", null],
      ]),
    )}
    ${part(
      "Written",
      "What people wrote, in Markdown, rendered and sanitised.",
      raw(
        `<div class="prose"><h3>Why</h3><p>Half of all people <strong>leave</strong>.</p><ul><li class="step">☑ guest cart</li></ul><pre tabindex="0"><code>await pay(cart);</code></pre></div>`,
      ),
    )}
    ${part(
      "Changing-in-place",
      "A pencil leads to a form in the place of what it changes. What somebody else changed meanwhile stands above it.",
      html`<dl class="sides"><div><dt>Points</dt><dd>3</dd><dd><a class="pencil" href="#p" aria-label="Change: Points"><svg class="mark" width="16" height="16" aria-hidden="true"><use href="/assets/icons.svg#pencil"/></svg></a></dd></div>
      <div><dt>Priority</dt><dd class="open">${editForm("#", {
        before: notice("bad", html`<p><strong>Ada changed this.</strong> Now it is:</p><div class="theirs">High</div>`),
        inputs: textField({ name: "points", label: "Points", value: "5", prefix: "e-" }),
        cancel: "#",
      })}</dd></div></dl>`,
    )}
    ${part("Nothing-yet", "Says why, and what to do.", empty("No issues", "Nothing matches these filters.", html`<p><a class="button second" href="#x">Show all</a></p>`))}
    ${part(
      "Filters",
      "What a list is narrowed down by; each can be removed.",
      html`${chips(
        [
          { text: "Type: Bug", href: "#" },
          { text: "Assignee: Me", href: "#" },
        ],
        "#",
      )}${ways("Views", [
        { label: "All issues", href: "#", current: true },
        { label: "My bugs (only you)", href: "#", current: false },
      ])}`,
    )}
    ${part(
      "Charts",
      "The API draws them. Their room is kept until they are there, and a table has the numbers.",
      html`<div class="with-picture"><div>${facts([
        ["Done", progress(3, 8, "issues")],
        ["Points", "5 of 13 points"],
      ])}</div>
      <div>${chart({ wide: { src: BARS, width: 560, height: 160 }, narrow: { src: BARS, width: 560, height: 160 }, alt: "Issues of a week. The table has the numbers." })}</div></div>
      <form class="inline-form">${textField({ name: "from", label: "From", type: "date", prefix: "c-" })}${select({ name: "interval", label: "Periods", options: [{ value: "week", label: "Week" }], prefix: "c-" })}<button class="second">Show</button></form>`,
    )}
    ${part(
      "Order",
      "Lists whose order people choose. At its ends, a list has no further way.",
      html`<ul class="lines">${["To do", "Doing", "Done"].map((name, n, all) => html`<li class="object-line">${colored("#3b82f6", name)}${orderForm("#", name, besideOf(all, n))}</li>`)}</ul>`,
    )}
    ${part("More", "", html`${fold("Details", html`<p>What few people need.</p>`)}${pager("#next", { first: "#first", isFirst: false, what: "issues" })}`)}`;
}
