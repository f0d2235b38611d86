import { ISSUE_TYPES } from "../../../domain/access/identity/issue-row.ts";
import { counted } from "../../../domain/kernel/counted.ts";
import type { KeyResultView } from "../../../domain/knowledge/key-results/view.ts";
import type { ProjectView } from "../../../domain/work/projects/view.ts";
import { type People, personOf, unlessRefused } from "../issue/read.ts";
import type { Option } from "../kit/fields.ts";
import { orNull } from "../kit/typed.ts";
import { words } from "../kit/words.ts";
import { readNames } from "../project/choices.ts";
import type { Site, WorkspaceCall } from "../site/site.ts";

/** Which issues a key result counts: in words, and as the values of a form. */

export type Scope = NonNullable<KeyResultView["scope"]>;

const PLURALS = { epic: "epics", story: "stories", task: "tasks", bug: "bugs", subtask: "subtasks" } as const;
const anyOf = new Intl.ListFormat("en", { type: "disjunction" });
const allOf = new Intl.ListFormat("en", { type: "conjunction" });

/** Projects that are named; more are counted. */
const MAX_NAMED = 3;

type Known = { projects: readonly ProjectView[]; people: People; isOfPortfolio: boolean };

/** `bugs and stories in Website that are assigned to Ada, with one of 2 labels` */
export function scopeInWords(scope: KeyResultView["scope"], { projects, people, isOfPortfolio }: Known): string {
  const everywhere = isOfPortfolio ? "in the projects of the portfolio" : "in all projects";
  if (scope === null) return `issues ${everywhere}`;
  const { issue_types, project_ids, assignee_id, label_ids, milestone_ids, sprint_ids, release_ids, parent_ids } =
    scope;
  const one = (ids: readonly string[], noun: string) =>
    ids.length === 0 ? [] : [ids.length === 1 ? `one ${noun}` : `one of ${counted(ids.length, noun)}`];
  const names = project_ids.flatMap((id) => projects.find((project) => project.id === id)?.name ?? []);
  const isNamed = names.length === project_ids.length && names.length <= MAX_NAMED;
  const place = isNamed ? anyOf.format(names) : counted(project_ids.length, "project");
  const rest = [
    ...(assignee_id === null ? [] : [`assigned to ${personOf(people, assignee_id).name ?? "somebody"}`]),
    ...one(label_ids, "label").map((text) => `with ${text}`),
    ...[...one(milestone_ids, "milestone"), ...one(sprint_ids, "sprint"), ...one(release_ids, "release")].map(
      (text) => `in ${text}`,
    ),
    ...one(parent_ids, "issue").map((text) => `below ${text}`),
  ];
  return [
    issue_types.length === 0 ? "issues" : allOf.format(issue_types.map((type) => PLURALS[type])),
    project_ids.length === 0 ? "in all projects" : `in ${place}`,
    ...(rest.length === 0 ? [] : [allOf.format(rest)]),
  ].join(" ");
}

export const TYPES: Option[] = ISSUE_TYPES.map((value) => ({ value, label: words(value) }));

/** Lists that belong to projects, by the names of the scope. */
const LISTS = {
  label_ids: { operation: "labels.list", label: "With one of the labels" },
  milestone_ids: { operation: "milestones.list", label: "In one of the milestones" },
  sprint_ids: { operation: "sprints.list", label: "In one of the sprints" },
  release_ids: { operation: "releases.list", label: "In one of the releases" },
} as const;
type ListName = keyof typeof LISTS;
export const LIST_NAMES = Object.keys(LISTS) as ListName[];
export const labelOf = (list: ListName): string => LISTS[list].label;

/** Projects whose lists are read. */
const MAX_PROJECTS = 5;

/** What can be chosen of the projects that are chosen already. */
export async function readLists(
  site: Site,
  call: WorkspaceCall,
  { projects, chosen }: { projects: readonly ProjectView[]; chosen: readonly string[] },
): Promise<Record<ListName, Option[]>> {
  const own = projects.filter(({ id }) => chosen.includes(id)).slice(0, MAX_PROJECTS);
  const read = async (list: ListName): Promise<Option[]> => {
    const all = await Promise.all(
      own.map(async ({ key, name: project }) => {
        const data = await unlessRefused<readonly { id: string; name: string }[]>(
          readNames(site, call, LISTS[list].operation, { key }),
          [],
        );
        return data.map(({ id, name }) => ({ value: id, label: own.length > 1 ? `${name} (${project})` : name }));
      }),
    );
    return all.flat();
  };
  const lists = await Promise.all(LIST_NAMES.map(async (list) => [list, await read(list)] as const));
  return Object.fromEntries(lists) as Record<ListName, Option[]>;
}

/** The scope as the form says it. Null if nothing is chosen: then the goal decides what counts. */
export function scopeIn({ form }: WorkspaceCall): Record<string, unknown> | null {
  const lists = ["project_ids", "issue_types", ...LIST_NAMES, "parent_ids"];
  const scope = {
    ...Object.fromEntries(lists.map((name) => [name, form.all(name)])),
    assignee_id: orNull(form.text("assignee_id")),
  };
  return Object.values(scope).some((value) => (Array.isArray(value) ? value.length > 0 : value !== null))
    ? scope
    : null;
}
