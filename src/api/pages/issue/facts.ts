import { isClosed } from "../../../domain/kernel/categories.ts";
import { counted } from "../../../domain/kernel/counted.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { priorityMark, statusBadge, typeMark } from "../kit/issues.ts";
import { person } from "../kit/people.ts";
import { colored } from "../kit/pieces.ts";
import { ago, dayInWords, due, exactly, minutesInWords } from "../kit/times.ts";
import { words } from "../kit/words.ts";
import { archivePart } from "./archive.ts";
import { editLink } from "./change.ts";
import { customValue } from "./custom-values.ts";
import type { About } from "./page.ts";
import { personOf } from "./read.ts";
import { watchersPart } from "./watchers.ts";

/** The facts about an issue, beside it. Those that the person may change have a way to the form that changes them. */

export type Fact = { name: string; label: string; value: Html | string | null };

export function factsPart(about: About): Html {
  const facts = [...factsOf(about), ...customFacts(about)];
  const isOpen = ({ name }: Fact) => name === about.editing?.name;
  const shown = facts.filter((fact) => fact.value !== null || isOpen(fact));
  const more = about.mayWrite ? facts.filter((fact) => !shown.includes(fact)) : [];
  return html`<h2 class="out">Facts</h2><dl class="sides">${shown.map((fact) => factRow(about, fact, isOpen(fact)))}</dl>
    ${more.length === 0 ? "" : html`<p class="adds"><span class="quiet">Add</span> ${more.map(({ name, label }) => html`<a href="${about.base}?edit=${name}#fact-${name}">${label}</a> `)}</p>`}
    ${watchersPart(about)}${origin(about)}${archivePart(about)}`;
}

const factRow = (about: About, { name, label, value }: Fact, isOpen: boolean): Html =>
  html`<div id="fact-${name}"><dt>${label}</dt>${
    isOpen
      ? html`<dd class="open">${about.editing?.form(value ?? html`<p class="quiet">None.</p>`) ?? ""}</dd>`
      : html`<dd>${value ?? ""}</dd><dd>${editLink(about, name, label)}</dd>`
  }</div>`;

function factsOf({ call, issue, people, plans, projectBase }: About): Fact[] {
  const { now } = call.here;
  const issueLink = (key: string | null) => (key === null ? null : html`<a href="${projectBase}/${key}">${key}</a>`);
  const dayOf = (at: string | null) =>
    at === null
      ? null
      : html`<time datetime="${at}" ${at.length === 10 ? "" : html` title="${exactly(at)}"`}>${dayInWords(at)}</time>`;
  const linkTo = (name: string | null, path: string, id: string | null) =>
    name === null ? null : html`<a dir="auto" href="${projectBase}/${path}/${id ?? ""}">${name}</a>`;
  const list = (items: Html[]) =>
    items.length === 0 ? null : html`<ul class="stack">${items.map((item) => html`<li>${item}</li>`)}</ul>`;
  return [
    { name: "status", label: "Column", value: statusBadge(issue) },
    {
      name: "assignees",
      label: issue.assignees.length > 1 ? "Assignees" : "Assignee",
      value: list(issue.assignees.map((id) => person(personOf(people, id)))) ?? html`<span class="quiet">Nobody</span>`,
    },
    { name: "priority", label: "Priority", value: html`${priorityMark(issue.priority)} ${words(issue.priority)}` },
    { name: "type", label: "Type", value: html`${typeMark(issue.type)} ${words(issue.type)}` },
    {
      name: "labels",
      label: "Labels",
      value:
        issue.labels.length === 0
          ? null
          : html`<span class="marks">${issue.labels.map(({ color, name }) => colored(color, name))}</span>`,
    },
    { name: "sprint", label: "Sprint", value: linkTo(plans.sprint, "sprints", issue.sprint_id) },
    { name: "milestone", label: "Milestone", value: linkTo(plans.milestone, "milestones", issue.milestone_id) },
    { name: "release", label: "Release", value: linkTo(plans.release, "releases", issue.release_id) },
    { name: "epic", label: "Epic", value: issueLink(issue.epic_key) },
    { name: "parent", label: "Parent", value: issueLink(issue.parent_key) },
    { name: "start", label: "Begins", value: dayOf(issue.start_on ?? issue.start_at) },
    {
      name: "due",
      label: "Due",
      value: issue.due_at === null ? null : due(issue.due_on ?? issue.due_at, now, isClosed(issue.status)),
    },
    {
      name: "points",
      label: "Points",
      value: issue.story_points === null ? null : counted(issue.story_points, "point"),
    },
    {
      name: "estimate",
      label: "Estimate",
      value: issue.estimate_minutes === null ? null : minutesInWords(issue.estimate_minutes),
    },
    {
      name: "completion",
      label: "Completion",
      value: issue.completion_pct === null ? null : `${issue.completion_pct} %`,
    },
    { name: "reporter", label: "Reporter", value: person(personOf(people, issue.reporter_id)) },
    {
      name: "external",
      label: "External",
      value:
        issue.external_id === null && issue.external_source === null
          ? null
          : [issue.external_source, issue.external_id].filter(Boolean).join(" · "),
    },
  ];
}

const customFacts = ({ values, people, call }: About): Fact[] =>
  values.map((value) => ({
    name: `field-${value.field_id}`,
    label: value.name,
    value: customValue(value, people, `/w/${call.here.workspace.slug}`),
  }));

function origin({ call, issue, people }: About): Html {
  const { now } = call.here;
  const creator = personOf(people, issue.created_by).name ?? "someone";
  return html`<p class="quiet origin">Created ${ago(issue.created_at, now)} by <span dir="auto">${creator}</span>, changed ${ago(issue.updated_at, now)}${
    issue.started_at === null ? "" : html`, started ${ago(issue.started_at, now)}`
  }${issue.resolved_at === null ? "" : html`, resolved ${ago(issue.resolved_at, now)}`}.</p>`;
}
