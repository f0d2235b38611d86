import type { IssueView } from "../../../domain/work/issues/view.ts";
import type { StatusView } from "../../../domain/work/projects/status-view.ts";
import type { ProjectView } from "../../../domain/work/projects/view.ts";
import type { Option } from "../kit/fields.ts";
import { milestonesOf, openOnes, peopleOf, readNames, releasesOf } from "../project/choices.ts";
import type { Site, WorkspaceCall } from "../site/site.ts";
import type { Choosing } from "./editables.ts";
import { allPeople, assignable, at, type People, personOf } from "./read.ts";

/** What can be chosen in a form. Only read when the form is open. */

const ALL = { limit: "100" };

export async function readOptions(
  site: Site,
  call: WorkspaceCall,
  choosing: Choosing | undefined,
  { issue, people, project }: { issue: IssueView; people: People; project: ProjectView },
): Promise<Option[]> {
  const params = at(call);
  const list = async <T>(id: string) => (await site.list<T>(call, id, { params, query: ALL })).data;
  switch (choosing) {
    case undefined:
      return [];
    case "statuses":
      return (await site.perform<StatusView[]>(call, "statuses.list", { params })).map(({ id, name }) => ({
        value: id,
        label: name,
      }));
    case "people":
      return peopleOf({
        people: withNames(
          await assignable(site, call, project, await allPeople(site, call)),
          [...issue.assignees, issue.reporter_id],
          people,
        ),
      });
    case "labels":
      return withStored(await readNames(site, call, "labels.list"), issue.labels).map(({ id, name }) => ({
        value: id,
        label: name,
      }));
    case "sprints":
      return openOnes(await readNames(site, call, "sprints.list"), issue.sprint_id).map(({ id, name, status }) => ({
        value: id,
        label: status === "active" ? `${name} (active)` : name,
      }));
    case "milestones":
      return milestonesOf({ milestones: openOnes(await readNames(site, call, "milestones.list"), issue.milestone_id) });
    case "releases":
      return releasesOf({ releases: openOnes(await readNames(site, call, "releases.list"), issue.release_id) });
    case "projects":
      return (await list<ProjectView>("projects.list")).map(({ id, name }) => ({ value: id, label: name }));
  }
}

/** Those who are stored can always be kept, also if they have left or are not among the first. */
const withNames = (all: People, stored: string[], people: People): People =>
  new Map([...stored.map((id) => [id, personOf(people, id)] as const), ...all]);

const withStored = <T extends { id: string }>(all: readonly T[], stored: readonly T[]): T[] => [
  ...all,
  ...stored.filter(({ id }) => !all.some((one) => one.id === id)),
];
