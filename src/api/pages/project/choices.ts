import { ISSUE_TYPES, PRIORITIES } from "../../../domain/access/identity/issue-row.ts";
import { CATEGORIES } from "../../../domain/kernel/categories.ts";
import type { CustomFieldDefView } from "../../../domain/work/fields/view.ts";
import type { LabelView } from "../../../domain/work/issues/view.ts";
import type { MilestoneView, ReleaseView, SprintView } from "../../../domain/work/planning/views.ts";
import type { StatusView } from "../../../domain/work/projects/status-view.ts";
import { allPeople, type People, unlessRefused } from "../issue/read.ts";
import type { Option } from "../kit/fields.ts";
import { words } from "../kit/words.ts";
import type { Site, WorkspaceCall } from "../site/site.ts";
import { named } from "./head.ts";

/** What the fields of an issue can be set to in a project: for filters and for forms. */

/** What pages that offer them need to know. Counts of their issues cost more than the rest of a page, so none is read. */
type Lists = {
  "labels.list": Pick<LabelView, "id" | "name">;
  "sprints.list": Pick<SprintView, "id" | "name" | "status">;
  "milestones.list": Pick<MilestoneView, "id" | "name" | "status">;
  "releases.list": Pick<ReleaseView, "id" | "name" | "status" | "version">;
};
export type SprintChoice = Lists["sprints.list"];

const FIELDS: Record<keyof Lists, string> = {
  "labels.list": "id,name",
  "sprints.list": "id,name,status",
  "milestones.list": "id,name,status",
  "releases.list": "id,name,status,version",
};

/** What can be chosen of a list of the project: its first hundred. */
export const readNames = async <Name extends keyof Lists>(
  site: Site,
  call: WorkspaceCall,
  operation: Name,
  params: Record<string, string> = named(call),
): Promise<Lists[Name][]> => {
  const query = { limit: "100", fields: FIELDS[operation] };
  return (await site.list<Lists[Name]>(call, operation, { params, query })).data;
};

export type Choices = {
  statuses: StatusView[];
  labels: Lists["labels.list"][];
  sprints: SprintChoice[];
  milestones: Lists["milestones.list"][];
  releases: Lists["releases.list"][];
  people: People;
  /** The project's own, if the page shows them. */
  fields?: CustomFieldDefView[];
};

export async function readChoices(site: Site, call: WorkspaceCall): Promise<Choices> {
  const [statuses, labels, sprints, milestones, releases, people] = await Promise.all([
    site.perform<StatusView[]>(call, "statuses.list", { params: named(call) }),
    unlessRefused(readNames(site, call, "labels.list"), []),
    readNames(site, call, "sprints.list"),
    readNames(site, call, "milestones.list"),
    readNames(site, call, "releases.list"),
    allPeople(site, call),
  ]);
  return { statuses, labels, sprints, milestones, releases, people };
}

const asOptions = (all: readonly { id: string; name: string }[]): Option[] =>
  all.map(({ id, name }) => ({ value: id, label: name }));

export const TYPES: Option[] = ISSUE_TYPES.map((value) => ({ value, label: words(value) }));
/** The most urgent first. */
export const URGENCIES: Option[] = PRIORITIES.map((value) => ({ value, label: words(value) })).reverse();
export const STATES: Option[] = CATEGORIES.map((value) => ({ value, label: words(value) }));

export const columnsOf = ({ statuses }: Choices): Option[] => asOptions(statuses);
export const labelsOf = ({ labels }: Choices): Option[] => asOptions(labels);
export const sprintsOf = ({ sprints }: Choices): Option[] => asOptions(sprints);
export const milestonesOf = ({ milestones }: Pick<Choices, "milestones">): Option[] => asOptions(milestones);
export const releasesOf = ({ releases }: Pick<Choices, "releases">): Option[] =>
  releases.map(({ id, name, version }) => ({ value: id, label: version ? `${name} (${version})` : name }));
export const peopleOf = ({ people }: Pick<Choices, "people">): Option[] =>
  [...people.values()]
    .map(({ id, name, kind }) => ({ value: id, label: `${name ?? "Someone"}${kind === "agent" ? " (agent)" : ""}` }))
    .sort((one, other) => one.label.localeCompare(other.label, "en"));

/** Of the lists that issues are planned in, those that are not over, and the one that is chosen. */
export const openOnes = <T extends { id: string; status: string }>(all: readonly T[], chosen?: string | null): T[] =>
  all.filter(({ id, status }) => id === chosen || !["completed", "released", "cancelled"].includes(status));
